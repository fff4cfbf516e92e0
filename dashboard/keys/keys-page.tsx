import '../more-styles.ts';
import { Skeleton, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import type { OperationResult } from '../../client/operation.ts';
import { useApi } from '../api/api-context.tsx';
import { formatAge } from '../format/age.ts';
import { formatMoment } from '../format/moment.ts';
import { useNow } from '../format/use-now.ts';
import { ConfirmButton } from '../shell/confirm-button.tsx';
import { Page } from '../shell/page.tsx';
import { Problem } from '../shell/problem.tsx';
import { tellFailure, tellSuccess } from '../shell/tell.ts';
import { CreateKey } from './create-key.tsx';

type Key = OperationResult<'listKeys'>['keys'][number];

export function KeysPage() {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await client.listKeys({ signal })).keys,
  });
  return (
    <Page
      title="API keys"
      lead="A key acts as you do: it sees the same jobs, and works until it is revoked."
      actions={<CreateKey />}
    >
      {error === null ? null : (
        <Problem title="The keys could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null ? <Skeleton height={180} aria-label="Loading the keys" /> : null}
      {data?.length === 0 ? (
        <Text c="dimmed" size="sm">
          There are no keys yet. Create one for each program that uses the API.
        </Text>
      ) : null}
      {data === undefined || data.length === 0 ? null : <KeysTable keys={data} />}
    </Page>
  );
}

function KeysTable({ keys }: { keys: readonly Key[] }) {
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="sm" className="numbers" aria-label="API keys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>
              <span style={{ position: 'absolute', clipPath: 'inset(50%)' }}>Revoke</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.keyId} value={key} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function KeyRow({ value: { keyId, name, preview, createdAt, lastUsedAt } }: { value: Key }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const now = useNow();
  const revoke = useMutation({
    mutationFn: () => client.deleteKey({ params: { id: keyId } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      tellSuccess('The key is revoked', 'The next request with it is refused.');
    },
    onError: tellFailure('The key could not be revoked'),
  });
  return (
    <Table.Tr>
      <Table.Td fw={600}>
        <bdi>{name}</bdi>
      </Table.Td>
      <Table.Td>
        <code>{preview}</code>
      </Table.Td>
      <Table.Td>{formatMoment(createdAt)}</Table.Td>
      <Table.Td>{lastUsedAt === null ? 'Never' : agoOf(formatAge(lastUsedAt, now))}</Table.Td>
      <Table.Td ta="right">
        <ConfirmButton
          label="Revoke"
          ariaLabel={`Revoke ${name}`}
          icon={<Trash2 size={14} aria-hidden />}
          question={`Revoke “${name}”?`}
          consequence="Every program that uses this key is refused from its next request on. This cannot be undone."
          confirm="Revoke the key"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function agoOf(age: string): string {
  return age === 'now' ? 'Just now' : `${age} ago`;
}
