import '../styles/deferred.ts';
import { Text } from '@mantine/core';
import { formatAge, formatDollars, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { OperationResult } from '@media-jobs/client';
import { allScopes } from '@media-jobs/core/api';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { useNow } from '../format/use-now.ts';
import { notifySuccess } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { UntrustedText } from '../ui/error-callout.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { focusPage, Page } from '../ui/page.tsx';
import { CreateKey } from './create-key.tsx';
import classes from './keys.module.css';

type Key = OperationResult<'listKeys'>['keys'][number];

export function KeysPage() {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await client.listKeys({ signal })).keys,
  });
  return (
    <Page
      title="API keys"
      lead="An API key lets a program use your account. Its scopes say what the program may do."
      actions={<CreateKey />}
    >
      <LoadedList
        name="API keys"
        query={query}
        empty={{
          title: 'No keys yet',
          hint: 'Create one key for each program, so that you can revoke each on its own.',
        }}
      >
        {(keys) => <KeysList keys={keys} />}
      </LoadedList>
    </Page>
  );
}

function KeysList({ keys }: { keys: readonly Key[] }) {
  return (
    <ul className="rows" aria-label="API keys">
      {keys.map((key) => (
        <KeyRow key={key.keyId} value={key} />
      ))}
    </ul>
  );
}

function KeyRow({ value }: { value: Key }) {
  const { keyId, name, preview, createdAt, lastUsedAt, scopes, expiresAt, limits, parentId } = value;
  const now = useNow();
  const revoke = useAction({
    act: (client) => client.deleteKey({ params: { id: keyId } }),
    changes: ['keys'],
    failure: 'Could not revoke the API key',
    onDone: () => {
      focusPage();
      notifySuccess('API key revoked', 'Requests with this key are rejected from now on.');
    },
  });
  const usage = lastUsedAt === null ? 'never used' : `last used ${relativeAge(formatAge(lastUsedAt, now))}`;
  return (
    <li className={classes.key}>
      <div className={classes.about}>
        <Text fw={600} size="sm">
          <UntrustedText>{name}</UntrustedText>
        </Text>
        <code className={classes.preview}>{preview}</code>
        <Text size="sm" c="dimmed" className="numbers">
          Created {formatDateTime(createdAt)}
          {parentId === null ? '' : ' by another key'}, {usage}
          {expiresAt === null ? '' : `, expires ${formatDateTime(expiresAt)}`}
        </Text>
        <Text size="sm" c="dimmed">
          {scopes.length === allScopes.length ? 'All scopes' : scopes.join(', ')}
          {describeLimits(limits)}
        </Text>
      </div>
      <ConfirmButton
        label="Revoke"
        ariaLabel={`Revoke ${replaceUnsafeCharacters(name)}`}
        icon={<Trash2 size={14} aria-hidden />}
        question={
          <>
            Revoke “<UntrustedText>{name}</UntrustedText>”?
          </>
        }
        consequence="Every program that uses this key, or a key that it created, loses access immediately. You cannot undo this."
        confirm="Revoke key"
        action={revoke}
      />
    </li>
  );
}

function relativeAge(age: string): string {
  return age === 'now' ? 'just now' : `${age} ago`;
}

/** The limits of a key that are shown with it. */
function describeLimits({ maxUnfinishedJobs, usdPerDay, usdPerMonth }: Key['limits']): string {
  return [
    ...(maxUnfinishedJobs === undefined ? [] : [`; at most ${maxUnfinishedJobs} unfinished jobs`]),
    ...(usdPerDay === undefined ? [] : [`; at most ${formatDollars(usdPerDay)} a day`]),
    ...(usdPerMonth === undefined ? [] : [`; at most ${formatDollars(usdPerMonth)} a month`]),
  ].join('');
}
