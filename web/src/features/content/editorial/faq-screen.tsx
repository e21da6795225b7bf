import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../../design/buttons/link.tsx'
import { ChevronDownIcon } from '../../../design/icons/icons.tsx'
import { writtenIn } from './article-screen.tsx'
import styles from './faq-screen.module.css'
import { faqQuery, pagesQuery } from './queries.ts'
import { RichText } from './rich-text.tsx'

/** Slug of the page to which the questions link, if the operator has written this page. */
const HELP = 'help'

/**
 * Questions that expand to their answers (spec 42). An address with the fragment of a question opens the
 * question and scrolls to it.
 */
export function FaqScreen() {
  const { t } = useTranslation()
  const { data: groups } = useSuspenseQuery(faqQuery)
  const { data: pages } = useQuery(pagesQuery)
  const help = pages?.items.find(({ slug }) => slug === HELP)
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => openQuestion(hash), [hash])
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1 className={styles.title}>{t('editorial.faq')}</h1>
        <p className={styles.lead}>{t('editorial.faqLead')}</p>
        {groups.length > 1 && (
          <nav className={styles.groups} aria-label={t('editorial.faqGroups')}>
            {groups.map(({ slug, title }) => (
              <a key={slug} href={`#group-${slug}`}>
                {title}
              </a>
            ))}
          </nav>
        )}
      </header>
      {groups.length === 0 && <p className={styles.lead}>{t('editorial.faqEmpty')}</p>}
      {groups.map((group) => (
        <section
          key={group.id}
          className={styles.group}
          aria-labelledby={`group-${group.slug}`}
          lang={writtenIn(group)}
        >
          <h2 id={`group-${group.slug}`} className={styles.groupTitle} dir="auto">
            {group.title}
          </h2>
          <div>
            {group.questions.map(({ id, question, answer }) => (
              <details key={id} id={id} className={styles.question}>
                <summary>
                  <h3 dir="auto">{question}</h3>
                  <ChevronDownIcon />
                </summary>
                <div className={styles.answer}>
                  <RichText blocks={answer} cards={group.cards} />
                  <a className={styles.anchor} href={`#${id}`}>
                    {t('editorial.faqLink')}
                  </a>
                </div>
              </details>
            ))}
          </div>
        </section>
      ))}
      {help !== undefined && (
        <p className={styles.more}>
          {t('editorial.faqMore')} <TextLink to={help.detailRoute}>{t('editorial.faqHelp')}</TextLink>
        </p>
      )}
    </div>
  )
}

/**
 * Opens the question that the fragment of the address names, and scrolls to it. The browser has already scrolled
 * to the question, but the question may have moved since.
 */
function openQuestion(hash: string): void {
  const question = hash === '' ? null : document.getElementById(hash)
  if (!(question instanceof HTMLDetailsElement)) return
  question.open = true
  question.scrollIntoView({ block: 'start' })
}
