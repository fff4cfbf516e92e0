import '../styles/deferred.ts';
import { Button, Flex, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { formatAge, formatDollars } from '@media-jobs/cli/formatting';
import { allScopes } from '@media-jobs/core/api';
import { Plus, Trash2 } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { useNow } from '../format/use-now.ts';
import { notifySuccess } from '../ui/action-button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { focusPage, Page } from '../ui/page.tsx';
import { Note, UntrustedLine } from '../ui/text.tsx';
import { NewKeyForm, type NewKeyRequest } from './new-key-form.tsx';
import { type Key, keysKey, useKeys } from './use-keys.ts';

export function KeysPage() {
  const query = useKeys();
  return (
    <Page
      title="API keys"
      lead="An API key lets a program use your account. Its scopes say what the program may do."
      actions={<CreateKey />}
    >
      <LoadedList
        name="API keys"
        query={query}
        none="No keys yet"
        hint="Create one key for each program, so that you can revoke each on its own."
      >
        {(keys) => (
          <ul className="rows" aria-label="API keys">
            {keys.map((key) => (
              <KeyRow key={key.keyId} value={key} />
            ))}
          </ul>
        )}
      </LoadedList>
    </Page>
  );
}

function KeyRow({ value }: { value: Key }) {
  const { keyId, name, preview, createdAt, lastUsedAt, scopes, expiresAt, limits, parentId } = value;
  const now = useNow();
  const revoke = useAction({
    act: (client) => client.deleteKey({ params: { id: keyId } }),
    changes: keysKey,
    failure: 'Could not revoke the API key',
    onDone: () => {
      focusPage();
      notifySuccess('API key revoked', 'Requests with this key are rejected from now on.');
    },
  });
  const age = lastUsedAt === null ? undefined : formatAge(lastUsedAt, now);
  const usage = age === undefined ? 'never used' : `last used ${age === 'now' ? 'just now' : `${age} ago`}`;
  return (
    <Flex component="li" align="center" gap={12} px="md" py={14}>
      <Stack gap={2} miw={0} flex={1}>
        <UntrustedLine fw={600}>{name}</UntrustedLine>
        <code style={{ fontSize: 13 }}>{preview}</code>
        <Note className="numbers">
          Created {formatDateTime(createdAt)}
          {parentId === null ? '' : ' by another key'}, {usage}
          {expiresAt === null ? '' : `, expires ${formatDateTime(expiresAt)}`}
        </Note>
        <Note>
          {scopes.length === allScopes.length ? 'All scopes' : scopes.join(', ')}
          {describeLimits(limits)}
        </Note>
      </Stack>
      <ConfirmButton
        label="Revoke"
        subject={name}
        Icon={Trash2}
        consequence="Every program that uses this key, or a key that it created, loses access immediately. You cannot undo this."
        confirm="Revoke key"
        action={revoke}
      />
    </Flex>
  );
}

/** The limits of a key that are shown with it. */
function describeLimits({ maxUnfinishedJobs, usdPerDay, usdPerMonth }: Key['limits']): string {
  const jobs = maxUnfinishedJobs === undefined ? '' : `; at most ${maxUnfinishedJobs} unfinished jobs`;
  const daily = usdPerDay === undefined ? '' : `; at most ${formatDollars(usdPerDay)} a day`;
  const monthly = usdPerMonth === undefined ? '' : `; at most ${formatDollars(usdPerMonth)} a month`;
  return jobs + daily + monthly;
}

function CreateKey() {
  const [opened, { open, close }] = useDisclosure(false);
  const create = useAction({
    act: (client, body: NewKeyRequest) => client.createKey({ body }),
    changes: keysKey,
  });
  const value = create.data?.key;
  return (
    <>
      <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
        Create key
      </Button>
      <Modal
        opened={opened}
        // The key is shown only once, so it must not disappear by accident, nor before it is there.
        onClose={() => create.isPending || close()}
        closeOnClickOutside={value === undefined}
        closeOnEscape={value === undefined}
        onExitTransitionEnd={create.reset}
        title={value === undefined ? 'Create API key' : 'Save your API key'}
      >
        {value === undefined ? (
          <NewKeyForm onSubmit={create.mutate} isBusy={create.isPending} error={create.error?.message} />
        ) : (
          <NewKey value={value} onDone={close} />
        )}
      </Modal>
    </>
  );
}

function NewKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Callout tone="warning" title="You can see this key only once">
        The service stores only a hash of the key and cannot show it again.
      </Callout>
      <CodeBlock wraps label="New API key">
        {value}
      </CodeBlock>
      <Group justify="space-between">
        <CopyTextButton text={value} what="the key" />
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
