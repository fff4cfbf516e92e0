import { Space, Text, TextInput } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { Callout } from '../ui/callout.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';

/** The beginning of the key of every query. */
const everything: QueryKey = [];

/** Erases all that the service has of the account. The API refuses another ID than that of the account, and names it. */
export function EraseAccount() {
  const [ownerId, setOwnerId] = useState('');
  const erase = useAction({
    act: (client) => client.eraseOwner({ body: { confirm: ownerId.trim() } }),
    changes: everything,
  });
  return (
    <Section title="Erase everything">
      {erase.data === undefined ? (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            Cancels all jobs, revokes all API keys, and deletes all jobs, files, presets and settings of this account
            within 24 hours. Files at a storage provider stay.
          </Text>
          {erase.error === null ? null : <ErrorCallout title="Nothing was erased" error={erase.error} />}
          <Space h="md" />
          <ConfirmButton
            label="Erase everything"
            icon={<Eraser size={14} aria-hidden />}
            question="Erase everything?"
            consequence="All jobs, files, keys and settings of everyone in this account will be gone. You cannot undo this."
            confirm="Erase everything"
            isAllowed={ownerId.trim() !== ''}
            action={erase}
          >
            <TextInput
              mt="md"
              label="Account ID"
              description="Type it to confirm. A wrong ID erases nothing, and the answer names the right one."
              autoComplete="off"
              value={ownerId}
              onChange={({ currentTarget }) => setOwnerId(currentTarget.value)}
            />
          </ConfirmButton>
        </>
      ) : (
        <Callout tone="warning" title="This account is being erased" urgent>
          Everything is gone by {formatDateTime(erase.data.endsBy)}. Nothing can be changed until then.
        </Callout>
      )}
    </Section>
  );
}
