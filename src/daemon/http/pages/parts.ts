import { type Html, html } from './html.ts';

/** A status as a badge: its colour is never all that tells it. */
export function statusBadge(status: unknown): Html {
  return html`<span class="status" data-status="${String(status)}">${String(status).replaceAll('_', ' ')}</span>`;
}

/** A moment, in UTC to the second; the whole value is in the markup. */
export function moment(iso: unknown): Html | null {
  if (typeof iso !== 'string') return null;
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}
