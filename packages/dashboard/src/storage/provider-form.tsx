import { Checkbox, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { ApiError } from '@media-jobs/client';
import { type ProviderKind, providerKinds } from '@media-jobs/core/api';
import { useState } from 'react';
import { useRead } from '../api/use-read.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { ErrorCallout, LoadProblem } from '../ui/error-callout.tsx';
import { Form } from '../ui/form.tsx';
import { Note } from '../ui/text.tsx';
import { ticked, typed } from '../ui/typed.ts';
import {
  draftFromProvider,
  draftToProviderRequest,
  emptyDraft,
  endpointExamples,
  type FieldsProps,
  fieldsOf,
  kindLabels,
  missingFields,
  type ProviderDraft,
  type ProviderRequest,
  withKind,
} from './provider-draft.ts';
import type { StorageProvider } from './use-storage-providers.ts';

type Props = {
  /** Undefined for a new one. */
  provider: StorageProvider | undefined;
  onSubmit: (request: ProviderRequest) => void;
  isBusy: boolean;
  error: Error | null;
};

export function ProviderForm({ provider, onSubmit, isBusy, error }: Props) {
  const [draft, setDraft] = useState(provider === undefined ? emptyDraft : draftFromProvider(provider));
  // It is stored already: an empty field keeps it.
  const hasSecret = provider?.access.type === 'keys';
  const change = (changes: Partial<ProviderDraft>) => setDraft((current) => ({ ...current, ...changes }));
  const missing = missingFields(draft, hasSecret);
  const text: FieldsProps['text'] = (name, path = name) => ({
    error: detailsOf(error).find((detail) => detail.path === path)?.message,
    ...typed(draft[name], (value) => setDraft((current) => ({ ...current, [name]: value }))),
  });
  const fields = { draft, hasSecret, onChange: change, text };
  return (
    <Form
      submit="Save"
      onSubmit={() => onSubmit(draftToProviderRequest(draft))}
      disabled={missing.length > 0}
      isBusy={isBusy}
      noValidate
      before={<Note role="status">{missing.length === 0 ? '' : `Missing: ${missing.join(', ')}`}</Note>}
      mt="lg"
      justify="space-between"
    >
      <Stack gap="md">
        <TextInput label="Name" placeholder="Archive" maxLength={100} data-autofocus {...text('name')} />
        <NativeSelect
          label="Kind"
          data={providerKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          {...typed(draft.kind, (kind) => setDraft(withKind(draft, kind as ProviderKind)))}
        />
        <Location {...fields} />
        <AccessFields {...fields} />
        {error === null || hasField(error) ? null : <ErrorCallout title="Could not save" error={error} />}
      </Stack>
    </Form>
  );
}

function Location({ draft: { kind, usesPathStyle }, onChange, text }: FieldsProps) {
  const { hasEndpoint, needsRegion, defaultRegion, hasPathStyle } = fieldsOf(kind);
  return (
    <>
      <TextInput label="Bucket" {...text('bucket')} />
      <TextInput
        label="Region"
        description={needsRegion ? undefined : `Leave empty for ${defaultRegion}.`}
        {...text('region')}
      />
      {hasEndpoint ? (
        <TextInput type="url" label="Endpoint" placeholder={endpointExamples[kind]} {...text('endpoint')} />
      ) : null}
      {hasPathStyle ? (
        <Checkbox
          label="Path style"
          description="The bucket is part of the path instead of the host name, as MinIO expects."
          {...ticked(usesPathStyle, (checked) => onChange({ usesPathStyle: checked }))}
        />
      ) : null}
      <TextInput
        label="Prefix"
        description="The names of all objects begin with it. Jobs can neither read nor write other objects."
        placeholder="videos/"
        {...text('prefix')}
      />
    </>
  );
}

const fieldPaths = /^(name|bucket|region|endpoint|prefix|access\.(roleArn|accessKeyId|secretAccessKey))$/;

function detailsOf(error: Error | null): { path: string; message: string }[] {
  return error instanceof ApiError ? (error.details ?? []) : [];
}

/** Whether every problem of a request belongs to a field. */
function hasField(error: Error): boolean {
  const details = detailsOf(error);
  return details.length > 0 && details.every(({ path }) => fieldPaths.test(path));
}

/** The access of a storage provider: a role with its trust policy, or an access key. */
function AccessFields({
  draft: { kind, accessType },
  hasSecret,
  onChange,
  text,
}: FieldsProps & { hasSecret: boolean }) {
  return (
    <>
      {fieldsOf(kind).allowsRole ? (
        <Radio.Group
          label="Access"
          value={accessType}
          onChange={(chosen) => onChange({ accessType: chosen === 'role' ? 'role' : 'keys' })}
        >
          <Group mt="xs">
            <Radio value="role" label="Role" />
            <Radio value="keys" label="Access key" />
          </Group>
        </Radio.Group>
      ) : null}
      {accessType === 'role' ? (
        <RoleFields text={text} />
      ) : (
        <>
          <TextInput label="Access key ID" autoComplete="off" {...text('accessKeyId', 'access.accessKeyId')} />
          <TextInput
            type="password"
            label="Secret access key"
            description={hasSecret ? 'Leave empty to keep the stored one.' : 'Stored encrypted and never shown again.'}
            autoComplete="new-password"
            {...text('secretAccessKey', 'access.secretAccessKey')}
          />
        </>
      )}
    </>
  );
}

function RoleFields({ text }: Pick<FieldsProps, 'text'>) {
  const query = useRead({
    key: ['external-id'],
    read: (client, signal) => client.getExternalId({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const policy = query.data === undefined ? '' : JSON.stringify(query.data.trustPolicy, null, 2);
  return (
    <>
      <Stack gap="xs">
        <Text size="sm">Create a role in your AWS account with this trust policy:</Text>
        <LoadProblem of="the policy" query={query} />
        <CodeBlock label="Trust policy" mah={220} mih={120}>
          {policy}
        </CodeBlock>
        <Group>
          <CopyTextButton text={policy} what="the trust policy" />
          <DocsLink term="trust policies" />
        </Group>
      </Stack>
      <TextInput
        label="Role ARN"
        placeholder="arn:aws:iam::111122223333:role/media-jobs"
        {...text('roleArn', 'access.roleArn')}
      />
    </>
  );
}
