const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to send: made by {@link html} and by nothing else. */
export class Html {
  readonly #markup: string;

  constructor(strings: TemplateStringsArray, values: readonly Fragment[]) {
    this.#markup = strings.reduce((markup, part, index) => markup + render(values[index - 1]) + part);
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may stand in a template: text and numbers are escaped; null, undefined and false leave nothing. */
export type Fragment = Html | string | number | null | undefined | false | readonly Fragment[];

function render(value: Fragment): string {
  if (value instanceof Html) return value.toString();
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return value.map(render).join('');
  return String(value).replaceAll(/[&<>"']/g, character => entities[character] ?? '');
}

/** A template of markup whose values are escaped, in text as in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(strings, values);
}
