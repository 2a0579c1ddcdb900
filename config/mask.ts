import { readUrl } from './server-url.ts';
import type { Settings } from './settings.ts';

const hidden = '***';

/** Schemes whose addresses are paths: an @ there is no password's end. */
const paths = /^(sqlite:(?!\/\/)|embedded:(?!\/\/)|file:)/i;

/** Parameters of a URL that people may see; every other one may be a secret. */
const shownParameters = new Set([
  ...['host', 'port', 'user', 'application_name', 'socketPath', 'family', 'db', 'uselibpqcompat'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
]);

function maskParameters({ searchParams }: URL): string {
  const shown = [...searchParams].map(([key, value]) => {
    if (shownParameters.has(key)) return `${key}=${value}`;
    return value === '' ? hidden : `${key}=${hidden}`;
  });
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
}

/**
 * A URL without its password and without parameters that may be secrets. One that cannot be read for sure, like one with an
 * unencoded / or @ in its password, keeps its scheme only.
 */
export function maskUrl(url: string): string {
  if (paths.test(url)) return url;
  const [, scheme = '', behind = ''] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?(.*)$/is.exec(url) ?? [];
  const address = /^[^/?#]*/.exec(behind)?.[0] ?? '';
  const parsed = scheme.endsWith('//') ? readUrl(url) : undefined;
  if (parsed === undefined || behind.slice(address.length).includes('@')) return `${scheme}${hidden}`;
  const user = address.includes('@') ? `${parsed.username}${parsed.password === '' ? '' : `:${hidden}`}@` : '';
  const host = address.slice(address.lastIndexOf('@') + 1);
  return `${scheme}${user}${host}${behind.slice(address.length).split(/[?#]/, 1)[0]}${maskParameters(parsed)}`;
}

/** Text for people, like an error's message, with every URL in it masked: from its scheme to the line's last @, and on. */
export function maskText(text: string): string {
  return text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/(?:[^\n]*@)?(?:[^\s"'`<>)]*[^\s"'`<>).,:;])?/gi, maskUrl);
}

/** Settings that people may see: passwords in URLs and the token are masked. */
export function maskSettings(settings: Settings): Settings {
  const { database, queue, http } = settings;
  return {
    ...settings,
    database: { ...database, url: maskUrl(database.url) },
    queue: { ...queue, url: maskUrl(queue.url) },
    http: { ...http, ...(http.token !== undefined && { token: hidden }) },
  };
}
