import { Checkbox, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import type { OperationRequest } from '@media-jobs/client';
import { allScopes, defaultScopes, type Scope, scopes as scopeDescriptions } from '@media-jobs/core/api';
import { type FormEvent, useState } from 'react';
import { ActionButton } from '../ui/action-button.tsx';
import { DocsLink } from '../ui/docs-link.tsx';

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

type KeyLimits = { maxUnfinishedJobs?: number; usdPerDay?: number; usdPerMonth?: number };

/** The limits of a new key; an empty field sets none. */
function KeyLimitInputs({ value, onChange }: { value: KeyLimits; onChange: (limits: KeyLimits) => void }) {
  const change = (name: keyof KeyLimits) => (entered: number | string) => {
    const { [name]: _, ...others } = value;
    // A string until the number is complete, such as `12.`: without it, the field would lose what was typed.
    onChange(entered === '' ? others : { ...others, [name]: Number(entered) });
  };
  return (
    <Stack gap="sm">
      <NumberInput
        label="Unfinished jobs"
        description="With this many unfinished jobs in your account, the key cannot submit another. Leave empty for no limit of the key."
        min={0}
        allowDecimal={false}
        value={value.maxUnfinishedJobs ?? ''}
        onChange={change('maxUnfinishedJobs')}
      />
      <Group align="end" gap="sm" grow>
        <NumberInput
          label="Dollars per day"
          description="What the jobs of this key may cost in a UTC day."
          min={0}
          prefix="$"
          value={value.usdPerDay ?? ''}
          onChange={change('usdPerDay')}
        />
        <NumberInput
          label="Dollars per month"
          description="What the jobs of this key may cost in a UTC month."
          min={0}
          prefix="$"
          value={value.usdPerMonth ?? ''}
          onChange={change('usdPerMonth')}
        />
      </Group>
    </Stack>
  );
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The lifetimes that a user can choose for a key. */
const lifetimes = [
  { value: 'never', label: 'Never', ms: undefined },
  { value: 'hour', label: 'In one hour', ms: hourMs },
  { value: 'week', label: 'In 7 days', ms: 7 * dayMs },
  { value: 'month', label: 'In 30 days', ms: 30 * dayMs },
  { value: 'quarter', label: 'In 90 days', ms: 90 * dayMs },
  { value: 'day', label: 'After a day that you choose', ms: undefined },
] as const;

type Expiry = { lifetime: string /** `2026-03-01`, in the time zone of the user. */; day: string };

/** The chosen expiry in ISO 8601, undefined for never, `missing` if no valid day is chosen. */
function toTimestamp({ lifetime, day }: Expiry, now: Date): string | undefined {
  if (lifetime === 'day') {
    const lastDay = new Date(`${day}T00:00:00`);
    if (Number.isNaN(lastDay.getTime())) return 'missing';
    lastDay.setDate(lastDay.getDate() + 1);
    return lastDay.toISOString();
  }
  const ms = lifetimes.find(({ value }) => value === lifetime)?.ms;
  return ms === undefined ? undefined : new Date(now.getTime() + ms).toISOString();
}
