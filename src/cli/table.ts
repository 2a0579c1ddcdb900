/** Rows → text in columns, for people; empty cells are a dash. */
export function formatTable(headers: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [
    headers,
    ...rows.map(row => row.map(value => (value === null || value === undefined || value === '' ? '-' : String(value)))),
  ];
  const widths = headers.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)));
  return cells
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one a line. */
export function formatPairs(pairs: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`).join('\n');
}
