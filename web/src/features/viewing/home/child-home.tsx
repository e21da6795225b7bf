import type { Rail } from '@ondine/contract/catalogue'
import { LAYOUT } from '@ondine/contract/constants'
import type { Profile } from '@ondine/contract/profiles'
import { useTranslation } from 'react-i18next'
import { ImportBanner } from '../../content/library/import-banner.tsx'
import { profilePicture } from '../../people/profiles/profile-picture.ts'
import styles from './child-home.module.css'
import { railsForChild } from './child-rails.ts'
import { HomeRails } from './home-rails.tsx'

/**
 * The home of a child's profile: a greeting, and below it the child's rails with larger cards. Without rails, a
 * friendly note follows the greeting.
 */
export function ChildHome({
  profile,
  rails,
  retry,
}: {
  profile: Profile
  rails: readonly Rail[]
  retry: () => void
}) {
  const { t } = useTranslation('child')
  return (
    <div className={styles.home}>
      <header className={styles.greeting}>
        <img
          className={styles.avatar}
          src={profilePicture(profile)}
          width={LAYOUT.profileImageSize}
          height={LAYOUT.profileImageSize}
          alt=""
        />
        <div>
          <h1 className={styles.title} dir="auto">
            {t('greeting', { name: profile.name })}
          </h1>
          <p className={styles.lead}>{t(rails.length === 0 ? 'empty' : 'lead')}</p>
        </div>
      </header>
      <ImportBanner />
      <div className={styles.rails}>
        <HomeRails rails={railsForChild(rails)} retry={retry} areApart />
      </div>
    </div>
  )
}
