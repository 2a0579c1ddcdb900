import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** TLS of a connection as settings give it: PEM files by path. */
export interface TlsSettings {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly rejectUnauthorized: boolean;
}

/** Settings → what `tls.connect` takes; undefined when nothing was set. */
export function tlsOptions(settings: TlsSettings | undefined): ConnectionOptions | undefined {
  if (settings === undefined) return undefined;
  const { caFile, certFile, keyFile, rejectUnauthorized } = settings;
  return {
    rejectUnauthorized,
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile) }),
    ...(keyFile && { key: readFileSync(keyFile) }),
  };
}
