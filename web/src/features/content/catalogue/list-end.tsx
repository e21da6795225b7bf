import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import styles from './list-end.module.css'
import { useNearEnd } from './use-near-end.ts'

/** The fields of an infinite query that {@link ListEnd} uses. */
interface Growing {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/**
 * The end of a list. More items load when the viewer approaches the end or presses its button. If the items fail
 * to load, the end shows a message.
 */
export function ListEnd({ query }: { query: Growing }) {
  const { t } = useTranslation()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const end = useNearEnd(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  })
  return (
    <div className={styles.end} ref={end}>
      {isFetchNextPageError && <p role="alert">{t('category.failed')}</p>}
      {hasNextPage && (
        <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage}>
          {t(
            isFetchingNextPage
              ? 'category.loading'
              : isFetchNextPageError
                ? 'category.retry'
                : 'category.more',
          )}
        </Button>
      )}
    </div>
  )
}
