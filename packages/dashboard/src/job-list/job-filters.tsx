import { Group, NativeSelect, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { stateLabel } from '../job/state-badge.tsx';
import classes from './job-filters.module.css';
import { daysAgo, filterStates, type JobListSearch } from './search-params.ts';

/** The filters of the list: state and creation date. */
export function JobFilters({ search }: { search: JobListSearch }) {
  const { state: _, ...dates } = search;
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <nav aria-label="State" className={classes.states}>
        <Link to="/jobs" search={dates} className={classes.state} activeOptions={{ exact: true }} replace>
          All
        </Link>
        {filterStates.map((state) => (
          <Link key={state} to="/jobs" search={{ ...dates, state }} className={classes.state} replace>
            {stateLabel(state)}
          </Link>
        ))}
      </nav>
      <CreatedFilter search={search} />
    </Group>
  );
}

const periods = [
  { label: 'Any time', days: undefined },
  { label: 'Today', days: 0 },
  { label: 'Last 7 days', days: 6 },
  { label: 'Last 30 days', days: 29 },
] as const;

const customRange = 'Custom range';

function CreatedFilter({ search }: { search: JobListSearch }) {
  const navigate = useNavigate();
  const [isCustom, setIsCustom] = useState(false);
  const { from, to, ...others } = search;
  const period = periods.find(({ days }) => to === undefined && from === firstDayOf(days));
  const selected = isCustom || period === undefined ? customRange : period.label;
  const applyRange = (range: Pick<JobListSearch, 'from' | 'to'>) =>
    void navigate({ to: '/jobs', search: { ...others, ...range }, replace: true });

  const choose = (label: string) => {
    setIsCustom(label === customRange);
    const chosen = periods.find((candidate) => candidate.label === label);
    if (chosen !== undefined) applyRange({ from: firstDayOf(chosen.days) });
  };
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Created"
        value={selected}
        data={[...periods.map(({ label }) => label), customRange]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {selected === customRange ? (
        <Group gap={6} wrap="nowrap">
          <DayInput label="From" value={from} onChange={(day) => applyRange({ from: day, to })} />
          <span aria-hidden>–</span>
          <DayInput label="To" value={to} onChange={(day) => applyRange({ from, to: day })} />
        </Group>
      ) : null}
    </Group>
  );
}

function firstDayOf(days: number | undefined): string | undefined {
  return days === undefined ? undefined : daysAgo(days);
}

type DayInputProps = {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

function DayInput({ label, value = '', onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      size="xs"
      w={128}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
