import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { ChevronRightIcon } from '../../../design/icons/icons.tsx'
import styles from './page-list-screen.module.css'
import { pagesQuery } from './queries.ts'

/** All editorial pages, as links. Shown at an address without a slug (V2.1-22). */
export function PageListScreen() {
  const { t } = useTranslation()
  const { data } = useSuspenseQuery(pagesQuery)
  const pages = data.items.map((page) => ({
    to: page.detailRoute,
    title: page.title,
    text: page.description,
  }))
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t('editorial.allPages')}</h1>
      <ul className={styles.list}>
        {[{ to: '/page/faq', title: t('editorial.faq'), text: t('editorial.faqLead') }, ...pages].map(
          (page) => (
            <li key={page.to}>
              <BareLink to={page.to} className={styles.link}>
                <span>
                  <span className={styles.name} dir="auto">
                    {page.title}
                  </span>
                  <span className={styles.text} dir="auto">
                    {page.text}
                  </span>
                </span>
                <ChevronRightIcon />
              </BareLink>
            </li>
          ),
        )}
      </ul>
    </div>
  )
}
