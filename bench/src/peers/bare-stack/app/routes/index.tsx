import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { fetchHome } from '../environment.ts'
import { Highlights } from '../highlights.tsx'
import { TitleRail } from '../title-rail.tsx'

const homeQuery = queryOptions({ queryKey: ['home'], queryFn: fetchHome })

export const Route = createFileRoute('/')({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(homeQuery)
  },
  head: ({ match }) => {
    const { t } = match.context.words
    const title = t('title', { name: t('name') })
    return {
      meta: [
        { title },
        { name: 'description', content: title },
        { property: 'og:title', content: title },
        { property: 'og:type', content: 'website' },
      ],
      links: [{ rel: 'canonical', href: '/' }],
    }
  },
  component: Home,
})

function Home() {
  const { t } = useTranslation()
  const {
    data: [first, ...rails],
  } = useSuspenseQuery(homeQuery)
  return (
    <>
      <h1>{t('title', { name: t('name') })}</h1>
      {first !== undefined && <Highlights titles={first.titles} />}
      {rails.map((rail) => (
        <TitleRail key={rail.id} rail={rail} />
      ))}
    </>
  )
}
