import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { useSession } from '../../features/accounts/session.ts'
import { useConfiguration } from '../../features/configuration/use-configuration.ts'
import { alertError } from '../../features/errors/alert-error.ts'
import { MessagePage } from '../message-page.tsx'

/** What a child's profile sees in place of a screen of the account: the way through is a grown-up's profile (decision 46). */
export function GrownUpsOnly() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const configuration = useConfiguration()
  const { profile } = useSession()

  async function change(): Promise<void> {
    // With the press, not with the page.
    const { switchProfile } = await import('../../features/profiles/switch-profile.ts')
    await switchProfile(queries, profile, configuration, async () => location.reload())
  }

  return (
    <MessagePage
      title={t('accountMenu.grownUpsTitle')}
      text={t('accountMenu.grownUpsText')}
      back={t('notFound.back')}
      action={
        <Button look="primary" aria-haspopup="dialog" onPress={() => void change().catch(alertError)}>
          {t('profileMenu.switch-profile')}
        </Button>
      }
    />
  )
}
