import type { Image } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { ActionRow, ButtonLink, RowWords } from '../../design/button.tsx'
import { TrailerIcon } from '../../design/screen-icons.tsx'
import type { FavouriteThing } from '../favourites/favourite.ts'
import { FavouriteButton } from '../favourites/favourite-button.tsx'
import { ShareButton } from '../share/share-button.tsx'
import { PlayButton } from './play-button.tsx'
import type { PlayAction } from './playing.ts'

/**
 * What can be done with a title: play it or what stands in place of that, see its trailer, which is for everyone (V6-02),
 * and share it.
 */
export function Actions({
  action,
  trailer,
  title,
  image,
  path,
  thing,
  isSecond = false,
}: {
  action: PlayAction | undefined
  /** Whether something else is the first thing to do on the page. */
  isSecond?: boolean
  trailer: string | undefined
  title: string
  image: Image | null
  /** The page of the title. */
  path: string
  /** What becomes a favourite by it. */
  thing: FavouriteThing
}) {
  const { t } = useTranslation()
  return (
    <ActionRow>
      {action !== undefined && <PlayButton action={action} isSecond={isSecond} />}
      {trailer !== undefined && (
        <ButtonLink to={trailer} label={t('play.trailerOf', { title })}>
          <TrailerIcon />
          <RowWords>{t('play.trailer')}</RowWords>
        </ButtonLink>
      )}
      <FavouriteButton thing={thing} title={title} />
      <ShareButton title={title} image={image} path={path} />
    </ActionRow>
  )
}
