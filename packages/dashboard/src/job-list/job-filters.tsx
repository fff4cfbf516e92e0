import { Group, NativeSelect, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { stateLabel } from '../job/state-badge.tsx';
import { typed } from '../ui/typed.ts';
import classes from './job-filters.module.css';
import { daysAgo, filterStates, type JobListSearch } from './search-params.ts';

export function JobFilters({ search }: { search: JobListSearch }) {
  const { state: _, ...others } = search;
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group
        component="nav"
        aria-label="State"
        wrap="nowrap"
        gap={2}
        p={2}
        m={-2}
        maw="100%"
        style={{ overflowX: 'auto' }}
      >
        <Link to="/jobs" search={others} className={classes.state} activeOptions={{ exact: true }} replace>
          All
        </Link>
        {filterStates.map((state) => (
          <Link key={state} to="/jobs" search={{ ...others, state }} className={classes.state} replace>
            {stateLabel(state)}
          </Link>
        ))}
      </Group>
      <Group gap="xs">
        <SearchInput search={search} />
        <CreatedFilter search={search} />
      </Group>
    </Group>
  );
}

/** Waits until the typing pauses, so that a word is one request. */
const typingPauseMs = 300;

function SearchInput({ search }: { search: JobListSearch }) {
  const navigate = useNavigate();
  const { search: applied = '' } = search;
  const [text, setText] = useState(applied);
  const sent = useRef(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (typed: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed.trim();
      const next = sent.current || undefined;
      void navigate({ to: '/jobs', search: (filters) => ({ ...filters, search: next }), replace: true });
    }, typingPauseMs);
  };
  // A link may have replaced or removed the search. What was typed meanwhile stays.
  useEffect(() => {
    if (applied === sent.current) return;
    sent.current = applied;
    setText(applied);
  }, [applied]);
  return (
    <TextInput
      type="search"
      size="xs"
      w={230}
      maxLength={500}
      aria-label="Search jobs"
      placeholder="File, job ID or metadata value"
      {...typed(text, (value) => {
        setText(value);
        apply(value);
      })}
    />
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
  const period = periods.find(({ days }) => to === undefined && from === daysAgo(days));
  const selected = isCustom || period === undefined ? customRange : period.label;
  const applyRange = (range: Pick<JobListSearch, 'from' | 'to'>) =>
    void navigate({ to: '/jobs', search: { ...others, ...range }, replace: true });

  const choose = (label: string) => {
    setIsCustom(label === customRange);
    const chosen = periods.find((candidate) => candidate.label === label);
    if (chosen !== undefined) applyRange({ from: daysAgo(chosen.days) });
  };
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Created"
        data={[...periods.map(({ label }) => label), customRange]}
        {...typed(selected, choose)}
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

type Day = string | undefined;

function DayInput({ label, value = '', onChange }: { label: string; value: Day; onChange: (day: Day) => void }) {
  const field = typed(value, (day) => onChange(day || undefined));
  return <TextInput type="date" size="xs" w={128} aria-label={label} {...field} />;
}
