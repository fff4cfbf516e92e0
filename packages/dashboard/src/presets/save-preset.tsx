import { Text, TextInput } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { typed } from '../ui/typed.ts';
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
  const result = save.data && (
    <>
      Saved as {save.data.name}@{save.data.version}.{' '}
      <TextLink inherit to="/presets">
        Show presets
      </TextLink>
    </>
  );
  return (
    <Section title="Save as preset">
      <Form
        submit="Save preset"
        onSubmit={() => save.mutate()}
        disabled={!/^[a-z0-9-]{1,40}$/.test(name)}
        isBusy={save.isPending}
        beside={
          <Text size="sm" role="status">
            {result}
          </Text>
        }
      >
        <TextInput
          label="Preset name"
          description="Lower-case letters, digits and hyphens. With a name that exists you save its next version."
          placeholder="course-video"
          error={save.error?.message}
          {...typed(name, setName)}
        />
      </Form>
    </Section>
  );
}
