import { Paper, Skeleton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadProblem } from './error-callout.tsx';
import { Note } from './text.tsx';

type Props<Item> = {
  /** The name of the items, such as `API keys`. */
  name: string;
  query: { data: readonly Item[] | undefined; error: Error | null; refetch: () => unknown };
  empty: { title: string; hint: ReactNode };
  children: (items: readonly Item[]) => ReactNode;
};

/** The items of a page. Before they are loaded a skeleton or an error; without any, a hint. */
export function LoadedList<Item>({ name, query, empty, children }: Props<Item>) {
  const { data, error } = query;
  return (
    <>
      <LoadProblem of={name} query={query} />
      {data === undefined && error === null ? <Skeleton height={180} aria-label={`Loading ${name}`} /> : null}
      {data?.length === 0 ? (
        <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
          <Title order={2} size="h4">
            {empty.title}
          </Title>
          <Note mt={4}>{empty.hint}</Note>
        </Paper>
      ) : null}
      {data === undefined || data.length === 0 ? null : children(data)}
    </>
  );
}
