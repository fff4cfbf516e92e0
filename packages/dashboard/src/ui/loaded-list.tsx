import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { DocsLink } from './docs-link.tsx';
import type { DocumentedTerm } from './documented-terms.ts';
import { EmptyState } from './empty-state.tsx';
import { LoadProblem } from './error-callout.tsx';

type Props<Item> = {
  /** The name of the items, such as `API keys`. */
  name: string;
  query: { data: readonly Item[] | undefined; error: Error | null; refetch: () => unknown };
  /** Without items: that there are none, and what to do. */
  none: string;
  hint: string;
  term?: DocumentedTerm;
  children: (items: readonly Item[]) => ReactNode;
};

/** The items of a page. Before they are loaded a skeleton or an error; without any, a hint. */
export function LoadedList<Item>({ name, query, none, hint, term, children }: Props<Item>) {
  const { data, error } = query;
  const whatToDo = (
    <>
      {hint} <DocsLink term={term} />
    </>
  );
  return (
    <>
      <LoadProblem of={name} query={query} />
      {data === undefined && error === null ? <Skeleton height={180} aria-label={`Loading ${name}`} /> : null}
      {data?.length === 0 ? <EmptyState title={none} hint={whatToDo} /> : null}
      {data === undefined || data.length === 0 ? null : children(data)}
    </>
  );
}
