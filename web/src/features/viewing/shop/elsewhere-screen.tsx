import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { type Target, targetLink } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { PosterHead } from '../home/poster-head.tsx'

/**
 * The link to the operator's external shop, in front of the posters of home (A4.8-11, spec 37). Without the
 * posters, the page still works.
 */
export function ElsewhereScreen({ target }: { target: Target }) {
  const { t } = useTranslation('offers')
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails = [] } = useQuery(homeQuery(session, shuffle))
  return (
    <PosterHead title={t('elsewhereTitle')} text={t('elsewhere')} rails={rails}>
      <ButtonLink look="primary" {...targetLink(target)}>
        {t('subscribe')}
      </ButtonLink>
    </PosterHead>
  )
}
