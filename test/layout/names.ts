import type { SourceFile } from './source-files.ts';

/** A name in a source file, or that of a file or folder (then without a line). */
export type Name = { text: string; path: string; line?: number };

type Node = { type: string; start: number; [key: string]: unknown };

/** A string of this form is a name: a state, a field, an option, a key of an object. One with a space is prose. */
const nameLike = /^[A-Za-z][\w-]*(?:[./][\w-]+)*\/?$/;

/** The identifiers of a file, the strings in it that are names, and the segments of its path. */
export function namesIn({ path, text, parsed }: SourceFile): Name[] {
  const names: Name[] = path
    .replace(/\.\w+$/, '')
    .split('/')
    .map((segment) => ({ text: segment, path }));
  const lineAt = lineFinder(text);
  const visit = (node: Node) => {
    if (node.type === 'ImportDeclaration') return visitAll(node.specifiers);
    const name = nameOf(node);
    if (name !== undefined) names.push({ text: name, path, line: lineAt(node.start) });
    for (const value of Object.values(node)) visitAll(value);
  };
  const visitAll = (value: unknown) => {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each);
  };
  visitAll(parsed.program);
  return names;
}

/** The words of a name in lower case: `maxChunkSeconds` and `max-chunk-seconds` are three each. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function nameOf({ type, name, value }: Node): string | undefined {
  if (/^(JSX)?(Private)?Identifier$/.test(type) && typeof name === 'string') return name;
  return type === 'Literal' && typeof value === 'string' && nameLike.test(value) ? value : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => 1 + ends.findIndex((_, line) => (ends[line] ?? 0) >= offset);
}
