import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { usePlace } from '../../../words/place.tsx'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { HomeRails } from './home-rails.tsx'
import styles from './landing-screen.module.css'
import { PosterHead } from './poster-head.tsx'

/**
 * The page to which an operator's posters and e-mails lead: what the service is, how to sign in, and examples of the
 * catalogue.
 */
export function LandingScreen() {
  const { t } = useTranslation()
  const { language } = usePlace()
  const session = useSession()
  const { account } = session
  const { accounts, brand, seo } = useConfiguration()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails, refetch } = useSuspenseQuery(homeQuery(session, shuffle))
  return (
    <>
      <PosterHead
        title={brand.tagline[language] ?? t('head.tagline')}
        text={seo.description[language] ?? t('head.description')}
        rails={rails}
      >
        {account === null && accounts.isAllowedToRegister && (
          <ButtonLink look="primary" to={pathOf('register-informations')}>
            {t('shell.register')}
          </ButtonLink>
        )}
        <ButtonLink
          look={account === null && accounts.isAllowedToRegister ? 'secondary' : 'primary'}
          to={pathOf('home')}
        >
          {t('home.lookAround')}
        </ButtonLink>
      </PosterHead>
      <div className={styles.rails}>
        <HomeRails
          rails={rails.filter(({ layout }) => layout !== 'Hero' && layout !== 'FullScreen')}
          retry={() => void refetch()}
        />
      </div>
    </>
  )
}
