import { useTranslation } from 'react-i18next'
import { MessagePage } from '../message-page.tsx'
import { AskGrownUp } from './ask-grown-up.tsx'

/** Replaces an account screen for a child's profile. Offers to switch to an adult's profile (spec 46). */
export function GrownUpsOnly() {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t('accountMenu.grownUpsTitle')}
      text={t('accountMenu.grownUpsText')}
      back={t('notFound.back')}
      forChild
      action={<AskGrownUp text={t('profileMenu.switch-profile')} />}
    />
  )
}
