import { Checkbox, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { ApiError } from '@media-jobs/client';
import { type ProviderKind, providerKinds } from '@media-jobs/core/api';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { ErrorCallout, LoadProblem } from '../ui/error-callout.tsx';
import { Note } from '../ui/text.tsx';
import {
  draftToProviderRequest,
  endpointExamples,
  type FieldsProps,
  fieldsOf,
  kindLabels,
  missingFields,
  type ProviderDraft,
  type ProviderRequest,
  withKind,
} from './provider-draft.ts';

type Props = {
  initial: ProviderDraft;
  /** A secret is stored already: an empty field keeps it. */
  hasSecret: boolean;
  onSubmit: (request: ProviderRequest) => void;
  isBusy: boolean;
  error: Error | null;
};

export function ProviderForm({ initial, hasSecret, onSubmit, isBusy, error }: Props) {
  const [draft, setDraft] = useState(initial);
  const change = (changes: Partial<ProviderDraft>) => setDraft((current) => ({ ...current, ...changes }));
  const missing = missingFields(draft, hasSecret);
  const text: FieldsProps['text'] = (name, path = name) => ({
    value: draft[name],
    error: detailsOf(error).find((detail) => detail.path === path)?.message,
    onChange: ({ currentTarget: { value } }) => setDraft((current) => ({ ...current, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.length === 0) onSubmit(draftToProviderRequest(draft));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Archive" maxLength={100} data-autofocus {...text('name')} />
        <NativeSelect
          label="Kind"
          value={draft.kind}
          data={providerKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          onChange={({ currentTarget }) => setDraft(withKind(draft, currentTarget.value as ProviderKind))}
        />
        <Location draft={draft} onChange={change} text={text} />
        <AccessFields draft={draft} hasSecret={hasSecret} onChange={change} text={text} />
        {error === null || hasField(error) ? null : <ErrorCallout title="Could not save" error={error} />}
      </Stack>
      <Group justify="space-between" mt="lg">
        <Note role="status">{missing.length === 0 ? '' : `Missing: ${missing.join(', ')}`}</Note>
        <ActionButton type="submit" disabled={missing.length > 0} isBusy={isBusy}>
          Save
        </ActionButton>
      </Group>
    </form>
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
          checked={usesPathStyle}
          onChange={({ currentTarget }) => onChange({ usesPathStyle: currentTarget.checked })}
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

type AccessProps = FieldsProps & { hasSecret: boolean };

/** The access of a storage provider: a role with its trust policy, or an access key. */
function AccessFields({ draft: { kind, accessType }, hasSecret, onChange, text }: AccessProps) {
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
      {accessType === 'role' ? <RoleFields text={text} /> : <KeyFields hasSecret={hasSecret} text={text} />}
    </>
  );
}

function RoleFields({ text }: Pick<AccessProps, 'text'>) {
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['external-id'],
    queryFn: ({ signal }) => client.getExternalId({ signal }),
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

function KeyFields({ hasSecret, text }: Pick<AccessProps, 'hasSecret' | 'text'>) {
  return (
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
  );
}
