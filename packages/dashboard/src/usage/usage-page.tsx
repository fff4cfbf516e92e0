import '../styles/deferred.ts';
import { Button, Group, Progress, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import {
  formatBytes,
  formatDollars,
  formatDuration,
  formatLimit,
  formatNumber,
  limitTitle,
} from '@media-jobs/cli/formatting';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useRead } from '../api/use-read.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Callout } from '../ui/callout.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { typed } from '../ui/typed.ts';
import classes from './usage.module.css';
import { isActive, monthForecast, type UsageDay, usageTotals } from './usage-days.ts';
import { dayRows, keyRows, presetRows, recipeRows, valueRows } from './usage-rows.ts';
import { UsageTable } from './usage-table.tsx';

const Charts = lazy(() => import('./usage-charts.tsx').then(({ UsageCharts }) => ({ default: UsageCharts })));

export function UsagePage() {
  const keys = useKeys();
  const usage = useUsage('key,recipe,preset');
  const { data } = usage;
  return (
    <Page
      title="Usage"
      lead="Jobs of the last 31 days, by the day of their creation in UTC. Deleted jobs count only in the cost."
    >
      <LoadProblem of="usage" query={usage} />
      {usage.isPending ? <Skeleton height={480} aria-label="Loading usage" /> : null}
      {data === undefined ? null : (
        <Stack gap="lg">
          {data.truncated ? (
            <Callout tone="warning" title="Not all jobs are counted">
              Only the newest 10,000 queued jobs are counted. Jobs of the first days may be missing.
            </Callout>
          ) : null}
          <Totals days={data.days} />
          {data.days.some(isActive) ? (
            <Suspense fallback={<Skeleton height={640} aria-label="Loading charts" />}>
              <Charts days={data.days} />
            </Suspense>
          ) : null}
          <OwnerLimits />
          <Section title="By recipe">
            <UsageTable title="Recipe" rows={recipeRows(data.days)} />
          </Section>
          {presetRows(data.days).length === 0 ? null : (
            <Section title="By preset">
              <UsageTable title="Preset" rows={presetRows(data.days)} />
            </Section>
          )}
          <Section title="By metadata">
            <MetadataUsage />
          </Section>
          <Section title="By API key">
            <LoadProblem of="the names of API keys" query={keys} />
            {keys.isPending ? (
              <Skeleton height={120} aria-label="Loading API keys" />
            ) : (
              <UsageTable title="API key" rows={keyRows(data.days, keys.data)} />
            )}
          </Section>
          <Section title="By day">
            <UsageTable title="Day" rows={dayRows(data.days)} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

function useUsage(by: string, options?: { enabled: boolean }) {
  return useRead({
    key: ['usage', by],
    read: (client, signal) => client.getUsage({ query: { by }, signal }),
    ...options,
  });
}

function Totals({ days }: { days: readonly UsageDay[] }) {
  const { jobs, mediaSeconds, computeSeconds, outputBytes, usd } = usageTotals(days);
  const figures = [
    ['Jobs', formatNumber(jobs)],
    ['Media', formatDuration(mediaSeconds)],
    ['Compute', formatDuration(computeSeconds)],
    ['Output', formatBytes(outputBytes)],
    ['Cost', formatDollars(usd)],
    ['Forecast for this month', formatDollars(monthForecast(days))],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 3 }} component="dl" m={0}>
      {figures.map(([label, figure]) => (
        <div key={label} className={classes.figure}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <dd className={`${classes.number} numbers`}>{figure}</dd>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** The ended jobs by the values of a metadata key that the user names, since their records have to be read. */
function MetadataUsage() {
  const [text, setText] = useState('');
  const [key, setKey] = useState('');
  const query = useUsage(`metadata.${key}`, { enabled: key !== '' });
  const { data, isFetching } = query;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setKey(text.trim());
  };
  return (
    <Stack gap="md">
      <Group component="form" onSubmit={submit} align="end" gap="sm">
        <TextInput
          label="Metadata key"
          description="A key of the metadata of your jobs, such as customer."
          maxLength={40}
          {...typed(text, setText)}
        />
        <Button type="submit" variant="default" loading={isFetching} disabled={text.trim() === ''}>
          Show
        </Button>
      </Group>
      <LoadProblem of="usage" query={query} />
      {data?.truncated ? (
        <Callout tone="warning" title="Not all jobs are counted">
          Only the newest 10,000 jobs are counted.
        </Callout>
      ) : null}
      {data === undefined ? null : <UsageTable title={key} rows={valueRows(data.days)} />}
    </Stack>
  );
}

/** The limits of the account, each with its use beside it. A team has none. */
function OwnerLimits() {
  const query = useRead({
    key: ['limits'],
    read: async (client, signal) => (await client.getLimits({ signal })).limits,
  });
  const { data, error } = query;
  if (error === null && data?.length === 0) return null;
  return (
    <Section title="Limits">
      <LoadProblem of="limits" query={query} />
      <Stack gap="md">
        {data?.map(({ limit, value, use }) => (
          <div key={limit}>
            <Text size="sm" className="numbers">
              {limitTitle(limit)}: {use === null ? 'at most' : `${formatLimit(limit, use)} of`}{' '}
              {formatLimit(limit, value)}
            </Text>
            {use === null ? null : (
              <Progress
                mt={4}
                value={value === 0 ? 100 : Math.min(100, (100 * use) / value)}
                aria-label={limitTitle(limit)}
              />
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}
