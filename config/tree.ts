/** Nested objects, as a settings file holds them. */
export interface Tree {
  [key: string]: unknown;
}

/** Whether a value has keys of its own below it. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => (isTree(node) && Object.hasOwn(node, key) ? node[key] : undefined), tree);
}

/** Puts a value at a path, and makes the trees above it. */
export function setAt(tree: Tree, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const child = isTree(tree[key]) ? tree[key] : {};
  tree[key] = child;
  setAt(child, rest, value);
}

/** Both trees in one; at the leaves `over` wins. */
export function merge(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
  }
  return merged;
}

/** Freezes a tree to its leaves. */
export function freeze<T>(value: T): T {
  if (isTree(value)) for (const child of Object.values(value)) freeze(child);
  return Object.freeze(value);
}
