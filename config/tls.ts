import { readFileSync } from 'node:fs';

/** TLS of one connection as settings give it: PEM files by path. */
export interface TlsSettings {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly rejectUnauthorized: boolean;
}

/** The same with the files read: what `tls.connect` and every driver take. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** @throws the file system's error when a file cannot be read. */
export function tlsOptions({ caFile, certFile, keyFile, rejectUnauthorized }: TlsSettings): TlsOptions {
  return {
    rejectUnauthorized,
    ...(caFile !== undefined && { ca: readFileSync(caFile) }),
    ...(certFile !== undefined && { cert: readFileSync(certFile) }),
    ...(keyFile !== undefined && { key: readFileSync(keyFile) }),
  };
}
