import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { daysAgo, type JobListSearch } from './search-params.ts';

const spans = [
  { label: 'Any time', days: undefined },
  { label: 'Today', days: 0 },
  { label: 'Last 7 days', days: 6 },
  { label: 'Last 30 days', days: 29 },
] as const;

const ownDays = 'Choose days';

/** From when the listed jobs are: a span up to today, or days of one's own. */
export function CreatedFilter({ search }: { search: JobListSearch }) {
  const navigate = useNavigate();
  const [choosing, setChoosing] = useState(false);
  const { from, to, ...others } = search;
  const span = spans.find(
    ({ days }) => to === undefined && from === (days === undefined ? undefined : daysAgo(days)),
  );
  const shown = choosing || span === undefined ? ownDays : span.label;
  const show = (days: Pick<JobListSearch, 'from' | 'to'>) =>
    void navigate({ to: '/jobs', search: { ...others, ...days }, replace: true });

  const choose = (label: string) => {
    setChoosing(label === ownDays);
    const chosen = spans.find((one) => one.label === label);
    if (chosen !== undefined) show(chosen.days === undefined ? {} : { from: daysAgo(chosen.days) });
  };
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Created"
        value={shown}
        data={[...spans.map(({ label }) => label), ownDays]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {shown === ownDays ? (
        <Group gap={6} wrap="nowrap">
          <Day label="From" value={from} onChange={(day) => show(withDay({ to }, 'from', day))} />
          <span aria-hidden>–</span>
          <Day label="Until" value={to} onChange={(day) => show(withDay({ from }, 'to', day))} />
        </Group>
      ) : null}
    </Group>
  );
}

type Days = { from?: string | undefined; to?: string | undefined };

function withDay(other: Days, side: 'from' | 'to', day: string): Pick<JobListSearch, 'from' | 'to'> {
  const days = { ...other, [side]: day };
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined && value !== ''));
}

type DayProps = { label: string; value: string | undefined; onChange: (day: string) => void };

function Day({ label, value = '', onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      size="xs"
      w={128}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
