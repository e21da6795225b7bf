import { setAdultCode } from '@ondine/contract/parental-code'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { modal } from '../../../modals/modal.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { useSession } from '../../ground/session/session.ts'
import { parentalCodeQuery } from '../../people/parental/parental-code-query.ts'
import { accountQuery } from './account-query.ts'
import panel from './account-screen.module.css'
import styles from './parental-code-screen.module.css'

const NOTHING = { current: '', password: '', code: '', confirmation: '' }

/**
 * The form that sets or changes the account's parental code (A5-18 to A5-21). Only the default profile sees this
 * form (A6-04).
 */
export function ParentalCodeScreen() {
  const { t } = useTranslation()
  const { profile } = useSession()
  return (
    <div className={panel.screen}>
      <header>
        <ScreenTitle>{t('parentalCode.title')}</ScreenTitle>
        <p className={panel.lead}>{t('parentalCode.lead')}</p>
      </header>
      {profile?.default === false ? (
        <p className={panel.note}>{t('parentalCode.defaultOnly')}</p>
      ) : (
        <QueryPart
          name={t('parentalCode.title')}
          query={parentalCodeQuery}
          waiting={<div className={styles.waiting} aria-busy="true" />}
        >
          {({ set }) => <CodeForm key={String(set)} isSet={set} />}
        </QueryPart>
      )}
      <section className={panel.part} aria-labelledby="asked">
        <h2 id="asked" className={panel.heading}>
          {t('parentalCode.asked')}
        </h2>
        <ul className={styles.list}>
          <li>{t('parentalCode.askedAbove')}</li>
          <li>{t('parentalCode.askedChild')}</li>
        </ul>
      </section>
    </div>
  )
}

function CodeForm({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { hasPassword } = useSuspenseQuery(accountQuery).data
  const [isForgotten, setForgotten] = useState(false)
  const form = useForm({
    initial: NOTHING,
    refusalOf: ({ code, status, details }) => {
      if (code === CODES.signInFailed) return { field: 'password', text: t('account.wrongPassword') }
      // The service answered that it failed. If nothing answered, the text says so.
      return status >= 500 && details !== null ? { field: null, text: t('parentalCode.failed') } : undefined
    },
    schema: async () => {
      const { changedCodeForm, forgottenCodeForm, newCodeForm } = await import('./parental-code.schema.ts')
      if (!isSet) return newCodeForm
      return isForgotten ? forgottenCodeForm : changedCodeForm
    },
    onSubmit: async ({ current, password, code }) => {
      try {
        await call(setAdultCode, {
          adultCode: code,
          currentAdultCode: isSet && !isForgotten ? current : undefined,
          currentPassword: isForgotten ? password : undefined,
        })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== CODES.invalidAccessCode) throw error
        if (isSet) {
          form.force('current', 'wrongParentalCode')
          return
        }
        // Another device has set a code, or this form has, and the answer was lost. The form that changes the code
        // replaces this form.
        await queries.invalidateQueries({ queryKey: parentalCodeQuery.queryKey })
        await modal.open('alert', {
          title: t('parentalCode.alreadySetTitle'),
          description: t('parentalCode.alreadySet'),
        })
        return
      }
      fill(NOTHING)
      setForgotten(false)
      await queries.invalidateQueries({ queryKey: parentalCodeQuery.queryKey })
      await modal.open('alert', {
        title: t('parentalCode.updatedTitle'),
        description: t('parentalCode.updated'),
      })
    },
  })
  const { fill } = form
  const digits = { type: 'password', inputMode: 'numeric', maxLength: 4, autoComplete: 'off' } as const
  return (
    <Form form={form} className={panel.form} label={t('parentalCode.title')}>
      {isSet && !isForgotten && (
        <TextInput form={form} name="current" label={t('parentalCode.current')} {...digits} />
      )}
      {isForgotten && (
        <>
          <p className={panel.note}>{t('parentalCode.byPassword')}</p>
          <PasswordInput
            form={form}
            name="password"
            autoComplete="current-password"
            label={t('account.currentPassword')}
          />
        </>
      )}
      {isSet && hasPassword && (
        <Button look="plain" className={styles.other} onPress={() => setForgotten(!isForgotten)}>
          {t(isForgotten ? 'parentalCode.remembered' : 'parentalCode.forgotten')}
        </Button>
      )}
      {isSet && !hasPassword && <p className={panel.note}>{t('parentalCode.bySupport')}</p>}
      <TextInput form={form} name="code" label={t('parentalCode.new')} {...digits} />
      <TextInput form={form} name="confirmation" label={t('parentalCode.confirmation')} {...digits} />
      <FormRefusal form={form} />
      <SubmitButton form={form} pending={t('parentalCode.pending')}>
        {t(isSet ? 'parentalCode.change' : 'parentalCode.set')}
      </SubmitButton>
    </Form>
  )
}
