import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { type FieldsProps, fieldsOf } from './provider-draft.ts';
import classes from './storage.module.css';

type Props = FieldsProps & { hasSecret: boolean };

/** The access of a storage provider: a role with its trust policy, or an access key. */
export function AccessFields({ draft: { kind, accessType }, hasSecret, onChange, text }: Props) {
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

function RoleFields({ text }: Pick<Props, 'text'>) {
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
        <CodeBlock label="Trust policy" className={classes.policy} mih={120}>
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

function KeyFields({ hasSecret, text }: Pick<Props, 'hasSecret' | 'text'>) {
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
