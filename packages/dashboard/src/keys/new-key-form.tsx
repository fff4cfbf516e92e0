import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import { allScopes, defaultScopes, type Scope, scopes as scopeDescriptions } from '@media-jobs/core/api';
import { type FormEvent, useState } from 'react';
import { ActionButton } from '../ui/action-button.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { lifetimes, toTimestamp } from './expiry.ts';
import { KeyLimitInputs, type KeyLimits } from './key-limit-inputs.tsx';

export type NewKeyRequest = OperationRequest<'createKey'>['body'];

type NewKeyFormProps = {
  onSubmit: (request: NewKeyRequest) => void;
  isBusy: boolean;
  error: string | undefined;
};

export function NewKeyForm({ onSubmit, isBusy, error }: NewKeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(defaultScopes);
  const [lifetime, setLifetime] = useState('never');
  const [day, setDay] = useState('');
  const [limits, setLimits] = useState<KeyLimits>({});
  const expiresAt = toTimestamp({ lifetime, day }, new Date());
  const isComplete = name.trim() !== '' && scopes.length > 0 && expiresAt !== 'missing';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    onSubmit({
      name: name.trim(),
      scopes: [...scopes],
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Name the program that uses this key, so that you know which key to revoke."
          placeholder="Production server"
          maxLength={100}
          value={name}
          error={error}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ScopeBoxes value={scopes} onChange={setScopes} />
        <Group align="end" gap="sm">
          <NativeSelect
            label="Expires"
            value={lifetime}
            data={lifetimes.map(({ value, label }) => ({ value, label }))}
            onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
          />
          {lifetime === 'day' ? (
            <TextInput
              type="date"
              label="Last day"
              value={day}
              onChange={({ currentTarget }) => setDay(currentTarget.value)}
            />
          ) : null}
        </Group>
        <KeyLimitInputs value={limits} onChange={setLimits} />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <ActionButton type="submit" disabled={!isComplete} isBusy={isBusy}>
          Create
        </ActionButton>
      </Group>
    </form>
  );
}

type ScopeBoxesProps = { value: readonly Scope[]; onChange: (scopes: Scope[]) => void };

function ScopeBoxes({ value, onChange }: ScopeBoxesProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description={
        <>
          What a program can do with this key. Allow only what it needs. <DocsLink term="scopes" />
        </>
      }
      error={value.length === 0 ? 'Choose at least one scope.' : undefined}
      value={[...value]}
      onChange={(chosen) => onChange(allScopes.filter((scope) => chosen.includes(scope)))}
    >
      <Stack gap={6} mt="xs">
        {allScopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={<code>{scope}</code>} description={scopeDescriptions[scope]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
