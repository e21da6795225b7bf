import type { FieldFault } from '@ondine/contract/field-faults'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import {
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type Resolver,
  type ResolverError,
  useFormState,
  useForm as useHookForm,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type FormSchema, schemaFaults } from './schema-faults.ts'
import { serverFaults } from './server-faults.ts'

export interface FormOptions<Values extends FieldValues, Sent> {
  /** What stands in the fields at first: each field of the form is named here. */
  initial: Values
  /** Loads what the fields are checked by, from a `*.schema.ts`: with the form, not with the page. */
  schema: () => Promise<FormSchema<Values, Sent>>
  /** Sends what was filled in. @throws ApiError whose faults appear on the fields, or else below them */
  onSubmit: (sent: Sent) => Promise<void>
  /** The flow's own words for a refusal (decision 40); undefined for those of the service. */
  refusalText?: (error: ApiError) => string | undefined
}

/** A form at work. Its parts take it as `form`. */
export interface FormHandle<Values extends FieldValues> {
  // The library's own; a part needs no more of it than the fields.
  control: Control<Values, unknown, unknown>
  submit: (event: FormEvent<HTMLFormElement>) => void
  /** Learns what was typed into the fields before the page was alive. */
  takeOver: (element: HTMLFormElement | null) => void
  /** Why all of it was refused, in words. */
  refusal: string | undefined
  /** Fills fields in from outside. Only a field that says already that it is wrong is looked at again. */
  fill: (values: Partial<Values>) => void
  /** Shows a fault on a field, whether it was left or not (A5-01). */
  force: (name: FieldPath<Values>, fault: FieldFault) => void
  /** Makes every field show its fault, as submitting does; tells whether there is none (A5-03). */
  check: () => Promise<boolean>
  /** What stands in the fields now. */
  values: () => Values
}

/**
 * A form by the general rules (V5, A5): a field says what is wrong once it was left, or once all was sent; the service's
 * faults stand on the fields they are about; nothing is sent twice.
 */
export function useForm<Values extends FieldValues, Sent>({
  initial,
  schema,
  onSubmit,
  refusalText,
}: FormOptions<Values, Sent>): FormHandle<Values> {
  const { t } = useTranslation()
  const [refusal, setRefusal] = useState<string>()
  const underWay = useRef(false)
  const form = useHookForm<Values, unknown, Sent>({
    // The library's type allows parts to be missing; none is.
    defaultValues: initial as DefaultValues<Values>,
    mode: 'onTouched',
    resolver: resolverOf(schema),
  })
  const { getValues, setValue, subscribe } = form
  const names = Object.keys(initial) as FieldPath<Values>[]

  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => setRefusal(undefined) }),
    [subscribe],
  )

  const takeOver = useCallback(
    (element: HTMLFormElement | null) => {
      for (const field of element?.elements ?? []) {
        if (!(field instanceof HTMLInputElement) || field.value === '') continue
        const name = field.name as FieldPath<Values>
        // Only texts can be told from what a field of another kind always says.
        if (getValues(name) !== '') continue
        setValue(name, field.value as PathValue<Values, typeof name>, { shouldDirty: true })
      }
    },
    [getValues, setValue],
  )

  function force(name: FieldPath<Values>, fault: FieldFault): void {
    form.setError(name, { type: 'forced', message: fault }, { shouldFocus: true })
  }

  async function send(sent: Sent): Promise<void> {
    try {
      await onSubmit(sent)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const faults = serverFaults(error.details, names)
      // Backwards, so that the focus ends on the first.
      for (const name of names.toReversed()) {
        if (faults[name] !== undefined) force(name, faults[name])
      }
      if (Object.keys(faults).length === 0) setRefusal(refusalText?.(error) ?? wordsOf(error))
    }
  }

  function wordsOf(error: ApiError): string {
    return error.details === null && error.status >= 500 ? t('errors.offline') : error.message
  }

  async function submitOnce(event: FormEvent<HTMLFormElement>): Promise<void> {
    underWay.current = true
    setRefusal(undefined)
    try {
      await form.handleSubmit(send, (errors) => {
        if (errors.root !== undefined) setRefusal(t('errors.offline'))
      })(event)
    } finally {
      underWay.current = false
    }
  }

  return {
    control: form.control,
    takeOver,
    refusal,
    force,
    submit: (event) => {
      event.preventDefault()
      // A button is disabled a moment later than it can be pressed again.
      if (!underWay.current) void submitOnce(event)
    },
    fill: (values) => {
      setRefusal(undefined)
      for (const name of names) {
        const value = values[name]
        if (value === undefined) continue
        setValue(name, value, { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid })
      }
    },
    check: () => form.trigger(),
    values: () => getValues(),
  }
}

/** What is wrong with which field, of what is shown; the form is valid when nothing is (A5-01, A5-03). */
export function useFaults<Values extends FieldValues>({
  control,
}: FormHandle<Values>): Partial<Record<FieldPath<Values>, FieldFault>> {
  const { errors } = useFormState({ control })
  const shown = Object.entries(errors as FieldErrors).map(([name, error]) => [name, error?.message])
  // Messages are faults: only `force` and the resolver write them.
  return Object.fromEntries(shown) as Partial<Record<FieldPath<Values>, FieldFault>>
}

function resolverOf<Values extends FieldValues, Sent>(
  load: () => Promise<FormSchema<Values, Sent>>,
): Resolver<Values, unknown, Sent> {
  return async (values) => {
    const schema = await load().catch((cause: unknown) => ({ cause }))
    // Without the schema nothing is known to be wrong with a field, and nothing is sent.
    if ('cause' in schema) return faulty({ root: { type: 'unreachable' } })
    const parsed = schema.safeParse(values)
    if (parsed.success) return { values: parsed.data, errors: {} }
    const faults = Object.entries(schemaFaults(parsed.error.issues, values))
    return faulty(Object.fromEntries(faults.map(([name, message]) => [name, { type: 'schema', message }])))
  }
}

function faulty<Values extends FieldValues>(
  errors: Record<string, { type: string; message?: string | undefined }>,
): ResolverError<Values> {
  // The library's type follows the shape of the fields, which only the schema's paths know.
  return { values: {}, errors: errors as FieldErrors<Values> }
}
