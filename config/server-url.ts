import { suggest } from './near-miss.ts';

/** Schemes behind which there is a path, not a server. */
const pathSchemes = new Set(['sqlite', 'embedded']);

/** A driver's URL → what `URL` reads: `@/` has no host, since a parameter names the socket. */
export function readUrl(url: string): URL | undefined {
  const text = url.replace('@/', '@localhost/');
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with a URL of a database or a queue; undefined when nothing is. The answer never quotes the URL. */
export function urlProblem(url: string, schemes: readonly string[]): string | undefined {
  const scheme = url.slice(0, Math.max(0, url.indexOf(':')));
  if (!schemes.includes(scheme)) {
    const wanted = schemes.map(name => `${name}:`).join(', ');
    return `expected a URL that starts with ${wanted}${suggest(scheme, schemes, ':')}`;
  }
  if (pathSchemes.has(scheme)) return url.length > scheme.length + 1 ? undefined : `expected a path behind ${scheme}:`;
  if (!url.startsWith(`${scheme}://`)) return `expected ${scheme}://`;
  const parsed = readUrl(url);
  if (parsed !== undefined && [parsed.username, parsed.password, parsed.pathname].every(isDecodable)) return undefined;
  return 'not a URL that can be read; in a user and a password percent-encode special characters (/ is %2F, @ is %40, % is %25)';
}
