import type { Levelled } from '@ondine/contract/above-level'
import { useTranslation } from 'react-i18next'
import { AskGrownUp } from './account/ask-grown-up.tsx'
import { MessagePage } from './message-page.tsx'

/**
 * The page that a child gets in place of content above the child's level. It gives the reason, and suggests to ask
 * an adult or to go home (A6-05, docs/decisions/0045).
 */
export function AboveLevelPage({ subject }: { subject: Levelled }) {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t(`aboveLevel.${subject}`)}
      text={t('aboveLevel.text')}
      back={t('child.back')}
      also={<AskGrownUp text={t('aboveLevel.askGrownUp')} look="secondary" />}
      forChild
    />
  )
}
