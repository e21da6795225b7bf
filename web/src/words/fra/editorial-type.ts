/** Names of the types of editorial texts, in the plural and in the singular. */
export const editorialType = {
  articles: 'Articles',
  makingOf: 'Les coulisses',
  interview: 'Entretiens',
  festival: 'Festival',
  lifestyle: 'Art de vivre',
  disciplines: 'Disciplines',
  page: 'Pages',
  articleKind: 'Article',
  makingOfKind: 'Coulisses',
  interviewKind: 'Entretien',
  disciplineKind: 'Discipline',
  pageKind: 'Page',
}
