import { useTranslation } from 'react-i18next'
import { MessagePage } from '../message-page.tsx'
import { AskGrownUp } from './ask-grown-up.tsx'

/** What a child's profile sees in place of a screen of the account: the way through is a grown-up's profile (decision 46). */
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
