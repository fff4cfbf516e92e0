import { Input, JsonInput, NativeSelect, NumberInput, Slider, Switch, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { crfWord } from './crf-word.ts';
import type { Parameter } from './parameter.ts';

type Props = {
  parameter: Parameter;
  /** Undefined: left to the recipe. */
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
};

/** The control of one parameter, as its schema wants it. */
export function ParameterField({ parameter, value, error, onChange }: Props) {
  const { label, description, kind, fallback, choices, minimum, maximum, step, required } = parameter;
  const common = { label, description, error, required };
  if (kind === 'slider') return <SliderField {...{ parameter, value, error, onChange }} />;
  if (kind === 'number') {
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        placeholder={fallback === undefined ? 'Automatic' : String(fallback)}
        step={step}
        allowNegative={(minimum ?? -1) < 0}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    );
  }
  if (kind === 'choice') {
    const leave = fallback === undefined ? [{ value: '', label: 'Automatic' }] : [];
    return (
      <NativeSelect
        {...common}
        value={String(value ?? fallback ?? '')}
        data={[...leave, ...choices.map((choice) => ({ value: choice, label: choice }))]}
        onChange={({ currentTarget }) => onChange(chosen(currentTarget.value, fallback))}
      />
    );
  }
  if (kind === 'switch') {
    const checked = Boolean(value ?? fallback);
    return (
      <Switch
        {...common}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (kind === 'text') {
    return (
      <TextInput
        {...common}
        value={value === undefined ? '' : String(value)}
        placeholder={fallback === undefined ? 'Automatic' : String(fallback)}
        onChange={({ currentTarget }) => onChange(asTyped(currentTarget.value))}
      />
    );
  }
  return <StructureField {...common} value={value} onChange={onChange} maximum={maximum} />;
}

function SliderField({ parameter, value, error, onChange }: Props) {
  const { name, label, description, fallback, minimum = 0, maximum = 100, step } = parameter;
  const id = useId();
  const isCrf = name === 'crf';
  const isSet = typeof value === 'number';
  const shown = isSet ? value : typeof fallback === 'number' ? fallback : Math.round((minimum + maximum) / 2);
  const word = isCrf ? crfWord(shown) : String(shown);
  const said = isSet || fallback !== undefined ? `${shown}${isCrf ? ` · ${word}` : ''}` : 'Automatic';
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
    >
      <Text size="sm" fw={600} mt={8} className="numbers" role="status">
        {said}
      </Text>
      <Slider
        mt={4}
        min={minimum}
        max={maximum}
        step={isCrf ? 1 : step}
        value={shown}
        onChange={onChange}
        label={null}
        thumbProps={{ 'aria-labelledby': id, 'aria-valuetext': said }}
      />
    </Input.Wrapper>
  );
}

type StructureProps = {
  label: string;
  description: string;
  error: string | undefined;
  required: boolean;
  maximum: number | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
};

/** For what has no control of its own: lists and objects, as JSON. */
function StructureField({ value, onChange, maximum: _, ...common }: StructureProps) {
  return (
    <JsonInput
      {...common}
      autosize
      minRows={2}
      formatOnBlur
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      validationError="This is not JSON yet"
      onChange={(text) => onChange(parsed(text))}
    />
  );
}

function chosen(choice: string, fallback: unknown): string | undefined {
  return choice === '' || choice === fallback ? undefined : choice;
}

/** A text that reads as a number is one: `at` may be 12.5 or best. */
function asTyped(text: string): string | number | undefined {
  if (text === '') return undefined;
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
