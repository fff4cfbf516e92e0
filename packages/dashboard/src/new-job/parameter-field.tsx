import { JsonInput, NativeSelect, NumberInput, Switch, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import { parseChoice, parseJson, parseList, parseScalar } from './parameter.ts';
import { SliderField } from './slider-field.tsx';
import type { Source } from './source.ts';
import { UrlField } from './url-field.tsx';

export function ParameterField(props: FieldProps) {
  const { parameter, value, error, onChange } = props;
  const { label, description, kind, defaultValue, choices, minimum, maximum, step, required } = parameter;
  const common = { label, description, error, required, inputWrapperOrder };
  // A text that is left out, such as a tag, is none.
  const automatic = required || kind === 'text' ? '' : 'Automatic';
  const placeholder = defaultValue === undefined ? automatic : String(defaultValue);
  switch (kind) {
    case 'slider':
      return <SliderField {...props} />;
    case 'list':
      return <ListField {...props} common={common} />;
    // A group and rows have fields of their own.
    case 'group':
    case 'rows':
    case 'json':
      return <JsonField {...props} common={common} />;
    case 'url':
      return <UrlField {...common} value={(value ?? '') as Source} onChange={(url) => onChange(url || undefined)} />;
    case 'switch':
      return (
        <Switch
          label={label}
          description={description}
          error={error}
          checked={Boolean(value ?? defaultValue)}
          onChange={({ currentTarget: { checked } }) => onChange(checked === defaultValue ? undefined : checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={String(value ?? defaultValue ?? '')}
          data={[
            ...(defaultValue === undefined ? [{ value: '', label: required ? 'Choose one' : 'Automatic' }] : []),
            ...choices.map((choice) => ({
              value: String(choice),
              label: choice === defaultValue ? `${choice} (default)` : String(choice),
            })),
          ]}
          onChange={({ currentTarget }) => onChange(parseChoice(currentTarget.value, parameter))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          placeholder={placeholder}
          step={step}
          min={minimum}
          max={maximum}
          // Report a value out of range instead of silently changing it.
          clampBehavior="none"
          onChange={(next) => onChange(next === '' ? undefined : Number(next))}
        />
      );
    case 'text':
      return (
        <TextInput
          {...common}
          value={value === undefined ? '' : String(value)}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(parseScalar(currentTarget.value, parameter))}
        />
      );
  }
}

/** The properties that the inputs of all kinds have. */
type CommonProps = {
  common: Pick<TextInputProps, 'label' | 'description' | 'error' | 'required' | 'inputWrapperOrder'>;
};

/** Comma-separated texts or numbers. */
function ListField({ parameter, value, common, onChange }: FieldProps & CommonProps) {
  const { description, defaultValue } = parameter;
  const [text, setText] = useState(() => joinList(value));
  return (
    <TextInput
      {...common}
      description={`${description} Separate values with commas.`.trim()}
      value={text}
      placeholder={joinList(defaultValue) || 'Automatic'}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(parseList(currentTarget.value, parameter));
      }}
    />
  );
}

function joinList(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : '';
}

/** Objects and lists of objects, as JSON. */
function JsonField({ parameter: { defaultValue: fallback }, value, common, onChange }: FieldProps & CommonProps) {
  return (
    <JsonInput
      {...common}
      autosize
      minRows={2}
      formatOnBlur
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      placeholder={fallback === undefined ? 'Automatic' : JSON.stringify(fallback)}
      validationError="Invalid JSON"
      onChange={(text) => onChange(parseJson(text))}
    />
  );
}
