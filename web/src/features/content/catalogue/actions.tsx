import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionRow, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { TrailerIcon } from '../../../design/icons/screen-icons.tsx'
import { ShareButton } from '../../ground/share/share-button.tsx'
import type { FavouriteThing } from '../favourites/favourite.ts'
import { FavouriteButton } from '../favourites/favourite-button.tsx'
import { PlayButton } from './play-button.tsx'
import type { PlayAction } from './playing.ts'

/**
 * The actions for a title: play it, watch its trailer (open to everyone, V6-02), add it to the favourites, and
 * share it.
 */
export function Actions({
  action,
  trailer,
  title,
  image,
  path,
  thing,
  isSecond = false,
  other,
  children,
}: {
  action: PlayAction | undefined
  /** Whether the page has another main action, so that the play button comes second. */
  isSecond?: boolean
  trailer: string | undefined
  title: string
  image: Image | null
  /** Path of the title's page. */
  path: string
  /** The item that the favourite button adds. */
  thing: FavouriteThing
  /** Another way to play the title, beside the play button. */
  other?: ReactNode
  /** Further actions, at the end of the row. */
  children?: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <ActionRow>
      {action !== undefined && <PlayButton action={action} isSecond={isSecond} />}
      {other}
      {trailer !== undefined && (
        <ButtonLink to={trailer} label={t('play.trailerOf', { title })}>
          <TrailerIcon />
          <RowWords>{t('play.trailer')}</RowWords>
        </ButtonLink>
      )}
      <FavouriteButton thing={thing} title={title} />
      <ShareButton title={title} image={image} path={path} />
      {children}
    </ActionRow>
  )
}
