import { Checkbox, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import { allScopes, defaultScopes, type Scope, scopes as scopeDescriptions } from '@media-jobs/core/api';
import { useState } from 'react';
import { DocsLink } from '../ui/docs-link.tsx';
import { Form } from '../ui/form.tsx';
import { typed } from '../ui/typed.ts';

export type NewKeyRequest = OperationRequest<'createKey'>['body'];

type Props = { onSubmit: (request: NewKeyRequest) => void; isBusy: boolean; error: string | undefined };

export function NewKeyForm({ onSubmit, isBusy, error }: Props) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(defaultScopes);
  const [lifetime, setLifetime] = useState('');
  const [day, setDay] = useState('');
  const [limits, setLimits] = useState<KeyLimits>({});
  const expiresAt = lifetime === 'day' ? endOfDay(day) : endOfHours(Number(lifetime), new Date());
  const isComplete = name.trim() !== '' && scopes.length > 0 && expiresAt !== 'missing';
  return (
    <Form
      submit="Create"
      onSubmit={() => onSubmit({ name: name.trim(), scopes: [...scopes], expiresAt, limits })}
      disabled={!isComplete}
      isBusy={isBusy}
      mt="lg"
      justify="flex-end"
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Name the program that uses this key, so that you know which key to revoke."
          placeholder="Production server"
          maxLength={100}
          error={error}
          data-autofocus
          {...typed(name, setName)}
        />
        <ScopeBoxes value={scopes} onChange={setScopes} />
        <Group align="end" gap="sm">
          <NativeSelect label="Expires" data={lifetimes} {...typed(lifetime, setLifetime)} />
          {lifetime === 'day' ? <TextInput type="date" label="Last day" {...typed(day, setDay)} /> : null}
        </Group>
        <KeyLimitInputs value={limits} onChange={setLimits} />
      </Stack>
    </Form>
  );
}

function ScopeBoxes({ value, onChange }: { value: readonly Scope[]; onChange: (scopes: Scope[]) => void }) {
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

type KeyLimits = NonNullable<NewKeyRequest['limits']>;

/** The limits of a new key; an empty field sets none. */
function KeyLimitInputs({ value, onChange }: { value: KeyLimits; onChange: (limits: KeyLimits) => void }) {
  const field = (name: keyof KeyLimits) => ({
    min: 0,
    value: value[name] ?? '',
    // A string until the number is complete, such as `12.`: without it, the field would lose what was typed.
    onChange: (entered: number | string) =>
      onChange({ ...value, [name]: entered === '' ? undefined : Number(entered) }),
  });
  return (
    <Stack gap="sm">
      <NumberInput
        label="Unfinished jobs"
        description="With this many unfinished jobs in your account, the key cannot submit another. Leave empty for no limit of the key."
        allowDecimal={false}
        {...field('maxUnfinishedJobs')}
      />
      <Group align="end" gap="sm" grow>
        <NumberInput
          label="Dollars per day"
          description="What the jobs of this key may cost in a UTC day."
          prefix="$"
          {...field('usdPerDay')}
        />
        <NumberInput
          label="Dollars per month"
          description="What the jobs of this key may cost in a UTC month."
          prefix="$"
          {...field('usdPerMonth')}
        />
      </Group>
    </Stack>
  );
}

/** The lifetimes that a user can choose for a key, in hours. */
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In one hour' },
  { value: '168', label: 'In 7 days' },
  { value: '720', label: 'In 30 days' },
  { value: '2160', label: 'In 90 days' },
  { value: 'day', label: 'After a day that you choose' },
];

/** The time after so many hours, in ISO 8601; undefined for 0, which is never. */
function endOfHours(hours: number, now: Date): string | undefined {
  return hours === 0 ? undefined : new Date(now.getTime() + hours * 3_600_000).toISOString();
}

/** The end of a day such as `2026-03-01`, in the time zone of the user; `missing` if it is not valid. */
function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return Number.isNaN(end.getTime()) ? 'missing' : end.toISOString();
}
