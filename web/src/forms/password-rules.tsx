import { type PasswordPolicy, type PasswordRule, passwordRules } from '@ondine/contract/password-policy'
import { type FieldPathByValue, type FieldValues, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CheckIcon } from '../design/icons/icons.tsx'
import { UNSEEN } from '../design/page/unseen.ts'
import styles from './password-rules.module.css'
import type { FormHandle } from './use-form.ts'

/** The enabled rules of a password, each checked off as soon as the input meets it (A5-07). */
export function PasswordRules<Values extends FieldValues>({
  form,
  name,
  id,
  policy,
}: {
  form: FormHandle<Values>
  /** Name of the password field. */
  name: FieldPathByValue<Values, string>
  /** The id of the list of rules. The password field refers to this id, so that screen readers read the rules. */
  id: string
  policy: PasswordPolicy
}) {
  const { t } = useTranslation()
  const password: string = useWatch({ control: form.control, name })
  const texts: Record<PasswordRule['rule'], string> = {
    minimumCharacters: t('forms.ruleMinimumCharacters', { count: policy.minimumCharacters }),
    upperCase: t('forms.ruleUpperCase'),
    numbers: t('forms.ruleNumbers'),
    alphabetical: t('forms.ruleAlphabetical'),
    specialCharacter: t('forms.ruleSpecialCharacter', { characters: policy.specialCharacters }),
  }
  return (
    <ul id={id} className={styles.rules} aria-label={t('forms.passwordRules')}>
      {passwordRules(policy, password).map(({ rule, kept }) => (
        <li key={rule} className={styles.rule} data-kept={kept || undefined}>
          <span className={styles.mark} aria-hidden="true">
            {kept && <CheckIcon />}
          </span>
          {texts[rule]}
          <span className={UNSEEN}>{t(kept ? 'forms.ruleKept' : 'forms.ruleBroken')}</span>
        </li>
      ))}
    </ul>
  )
}
