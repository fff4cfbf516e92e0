import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Callout } from '../ui/callout.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { valueRows } from './usage-rows.ts';
import { UsageTable } from './usage-table.tsx';

/** The ended jobs by the values of a metadata key that the user names, since their records have to be read. */
export function MetadataUsage() {
  const { client } = useApi();
  const [text, setText] = useState('');
  const [key, setKey] = useState('');
  const query = useQuery({
    queryKey: ['usage', key],
    queryFn: ({ signal }) => client.getUsage({ query: { by: `metadata.${key}` }, signal }),
    enabled: key !== '',
  });
  const { data, isFetching } = query;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKey(text.trim());
  };
  return (
    <Stack gap="md">
      <Group component="form" onSubmit={submit} align="end" gap="sm">
        <TextInput
          label="Metadata key"
          description="A key of the metadata of your jobs, such as customer."
          maxLength={40}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isFetching} disabled={text.trim() === ''}>
          Show
        </Button>
      </Group>
      <LoadProblem of="usage" query={query} />
      {data?.truncated ? (
        <Callout tone="warning" title="Not all jobs are counted">
          Only the newest 10,000 jobs are counted.
        </Callout>
      ) : null}
      {data === undefined ? null : <UsageTable title={key} rows={valueRows(data.days)} />}
    </Stack>
  );
}
