import { Group, NumberInput, Stack } from '@mantine/core';

export type KeyLimits = { maxUnfinishedJobs?: number; usdPerDay?: number; usdPerMonth?: number };

type KeyLimitInputsProps = { value: KeyLimits; onChange: (limits: KeyLimits) => void };

/** The limits of a new key; an empty field sets none. */
export function KeyLimitInputs({ value, onChange }: KeyLimitInputsProps) {
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
