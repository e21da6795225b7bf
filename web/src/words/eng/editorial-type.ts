import type { editorialType as french } from '../fra/editorial-type.ts'

export const editorialType: typeof french = {
  articles: 'Articles',
  makingOf: 'Behind the scenes',
  interview: 'Interviews',
  festival: 'Festival',
  lifestyle: 'Lifestyle',
  disciplines: 'Disciplines',
  page: 'Pages',
  articleKind: 'Article',
  makingOfKind: 'Behind the scenes',
  interviewKind: 'Interview',
  disciplineKind: 'Discipline',
  pageKind: 'Page',
}
