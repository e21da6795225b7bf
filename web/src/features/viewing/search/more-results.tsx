import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import styles from './search-screen.module.css'

/** The fields of an infinite query that {@link MoreResults} uses. */
interface Paged {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage(): Promise<unknown>
}

/**
 * The next page of results is fetched when the end of the results is within this distance below the window. The
 * distance is large, so that the viewer does not reach the placeholders above the end.
 */
const AHEAD = '2400px'

/**
 * The end of the fetched results. When the viewer approaches the end, the next page of results is fetched, until such
 * a page is empty (V7-27).
 *
 * @param expected whether more results certainly exist. Only then do screen readers announce that results are loading
 */
export function MoreResults({ query, expected }: { query: Paged; expected: boolean }) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const mayFetch = hasNextPage && !isFetchingNextPage && !isFetchNextPageError

  useEffect(() => {
    const element = end.current
    if (!mayFetch || element === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [mayFetch, fetchNextPage])

  return (
    <div ref={end} className={styles.more}>
      {expected && isFetchingNextPage && <output className={UNSEEN}>{t('search.loadingMore')}</output>}
      {isFetchNextPageError && !isFetchingNextPage && (
        <div className={styles.failed} role="alert">
          <p>{t('search.moreFailed')}</p>
          <Button onPress={() => void fetchNextPage()}>{t('search.retry')}</Button>
        </div>
      )}
    </div>
  )
}
