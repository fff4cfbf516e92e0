import { Group, Text, TextInput } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { type FormEvent, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { presetsKey } from './use-presets.ts';

type NewPreset = OperationRequest<'createPreset'>['body'];

/** Saves the request of a job, without its source, as the next version of a preset. */
export function SavePreset({ request }: Pick<JobResource, 'request'>) {
  const [name, setName] = useState('');
  const { input: _, inputs, webhookUrl: __, finishBy: ___, ...saved } = request;
  const save = useAction({
    act: (client) => client.createPreset({ body: { name, request: saved } as NewPreset }),
    changes: presetsKey,
  });
  // A preset has one source.
  if (inputs !== undefined) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title="Save as preset">
      <form onSubmit={submit}>
        <TextInput
          label="Preset name"
          description="Lower-case letters, digits and hyphens. With a name that exists you save its next version."
          placeholder="course-video"
          value={name}
          error={save.error?.message}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group mt="md" gap="sm">
          <ActionButton type="submit" disabled={!/^[a-z0-9-]{1,40}$/.test(name)} isBusy={save.isPending}>
            Save preset
          </ActionButton>
          <Text size="sm" role="status">
            {save.data === undefined ? null : (
              <>
                Saved as {save.data.name}@{save.data.version}.{' '}
                <TextLink inherit to="/presets">
                  Show presets
                </TextLink>
              </>
            )}
          </Text>
        </Group>
      </form>
    </Section>
  );
}
