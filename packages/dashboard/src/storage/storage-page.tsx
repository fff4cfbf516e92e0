import '../styles/deferred.ts';
import { Flex, Group, Text } from '@mantine/core';
import { Circle, CircleCheck, CircleX, FlaskConical, Trash2 } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { notifySuccess, SmallAction } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { LoadedList } from '../ui/loaded-list.tsx';
import { focusPage, Page } from '../ui/page.tsx';
import { Note, UntrustedLine, UntrustedText } from '../ui/text.tsx';
import { EditProvider } from './edit-provider.tsx';
import { kindLabels } from './provider-draft.ts';
import { stepResults } from './test-steps.ts';
import { type StorageProvider, storageProvidersKey, useStorageProviders } from './use-storage-providers.ts';

export function StoragePage() {
  const query = useStorageProviders();
  return (
    <Page
      title="Storage"
      lead="A storage provider is a bucket of yours. Jobs can read inputs from it and write their files to it."
      actions={<EditProvider />}
    >
      <LoadedList
        name="storage providers"
        query={query}
        none="No storage providers yet"
        hint="Files of jobs are kept in the bucket of this service for a limited time. Add a bucket of yours to keep them there instead."
      >
        {(providers) => (
          <Flex component="ul" direction="column" gap="md" aria-label="Storage providers">
            {providers.map((provider) => (
              <ProviderItem key={provider.id} provider={provider} />
            ))}
          </Flex>
        )}
      </LoadedList>
    </Page>
  );
}

function ProviderItem({ provider }: { provider: StorageProvider }) {
  const { id, name, kind, bucket, prefix = '', lastTest } = provider;
  return (
    <Flex component="li" direction="column" gap={10} p="md" bd="1px solid var(--line)" bdrs={10}>
      <div>
        <UntrustedLine fw={600}>{name}</UntrustedLine>
        <Note>
          {kindLabels[kind]} {describeAccess(provider)}
        </Note>
        <Text component="code" display="block" my={2} fz={13} lh={1.45}>
          <UntrustedText>{`${bucket}/${prefix}`}</UntrustedText>
        </Text>
        <Note size="xs">
          <code style={{ overflowWrap: 'anywhere' }}>{id}</code>
        </Note>
      </div>
      <div role="status">
        <TestResult lastTest={lastTest} />
      </div>
      <ProviderActions provider={provider} />
    </Flex>
  );
}

function describeAccess({ access, allows }: StorageProvider): string {
  if (access.type === 'stage') return `in the account of this service, to ${allows?.replace('-', ' and ')}`;
  return access.type === 'role' ? 'by role' : 'by access key';
}

function ProviderActions({ provider }: { provider: StorageProvider }) {
  const { id, name, access } = provider;
  const test = useAction({
    act: (client) => client.testStorageProvider({ params: { id } }),
    changes: storageProvidersKey,
    failure: 'Could not test the storage provider',
  });
  const remove = useAction({
    act: (client) => client.deleteStorageProvider({ params: { id } }),
    changes: storageProvidersKey,
    failure: 'Could not remove the storage provider',
    onDone: () => {
      focusPage();
      notifySuccess('Storage provider removed', 'The files in its bucket stay.');
    },
  });
  return (
    <Group gap="sm">
      <SmallAction label="Test" subject={name} Icon={FlaskConical} action={test} />
      {access.type === 'stage' ? null : (
        <>
          <EditProvider provider={provider} />
          <ConfirmButton
            label="Remove"
            subject={name}
            Icon={Trash2}
            consequence="The files in its bucket stay, but the links of finished jobs stop working. You cannot undo this."
            confirm="Remove storage provider"
            action={remove}
          />
        </>
      )}
    </Group>
  );
}

const appearances = {
  ok: { Icon: CircleCheck, iconColor: 'var(--tone-success)', color: undefined },
  failed: { Icon: CircleX, iconColor: undefined, color: 'var(--tone-error)' },
  'not run': { Icon: Circle, iconColor: undefined, color: 'dimmed' },
};

function TestResult({ lastTest }: Pick<StorageProvider, 'lastTest'>) {
  if (lastTest === null) {
    return <Note>Not tested since the last change.</Note>;
  }
  return (
    <>
      <Group component="ol" gap="4px 16px" mb={6} fz={14} aria-label="Steps of the test">
        {stepResults(lastTest).map(({ step, result }) => {
          const { Icon, iconColor, color } = appearances[result];
          return (
            <Group key={step} component="li" gap={4} wrap="nowrap" c={color}>
              <Icon size={14} aria-hidden color={iconColor} />
              {step}: {result}
            </Group>
          );
        })}
      </Group>
      <Text size="sm">
        <UntrustedText>{lastTest.message}</UntrustedText>{' '}
        <Text span c="dimmed" className="numbers">
          {formatDateTime(lastTest.at)}
        </Text>
      </Text>
    </>
  );
}
