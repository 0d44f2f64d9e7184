import type { ComponentChildren, ComponentType } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { address } from "./address.ts";
import { line } from "./ask.ts";
import { owner } from "./owner.ts";
import { Frame } from "./parts/frame.tsx";
import { Keys } from "./parts/keys.tsx";
import { Locked, NotFound, Waiting } from "./parts/states.tsx";
import { Overview } from "./pages/overview.tsx";

export interface PageProps {
  /** The parameter in the path: a session's id. */
  name: string;
}

interface Page {
  path: RegExp;
  title: string;
  Content: ComponentType<PageProps>;
}

/** All pages. All but the first are loaded when they are visited. */
const pages: readonly Page[] = [
  { path: /^\/$/, title: "Overview", Content: Overview },
  { path: /^\/sessions$/, title: "Sessions", Content: lazy(() => import("./pages/sessions.tsx")) },
  {
    path: /^\/sessions\/([^/]+)$/,
    title: "Session",
    Content: lazy(() => import("./pages/session.tsx")),
  },
  { path: /^\/search$/, title: "Search", Content: lazy(() => import("./pages/search.tsx")) },
  { path: /^\/tools$/, title: "Tools", Content: lazy(() => import("./pages/tools.tsx")) },
  { path: /^\/uses$/, title: "Uses", Content: lazy(() => import("./pages/uses.tsx")) },
  { path: /^\/compare$/, title: "Compare", Content: lazy(() => import("./pages/compare.tsx")) },
  { path: /^\/insights$/, title: "Insights", Content: lazy(() => import("./pages/insights.tsx")) },
  { path: /^\/team$/, title: "Team", Content: lazy(() => import("./pages/team.tsx")) },
  { path: /^\/doctor$/, title: "Doctor", Content: lazy(() => import("./pages/doctor.tsx")) },
];

export function App() {
  const { path } = address.value;
  const page = pages.find((item) => item.path.test(path));
  const name = decodeURIComponent(page?.path.exec(path)?.[1] ?? "");
  useEffect(() => {
    document.title = page ? `${page.title} · Pollux` : "Pollux";
    // Announces the new page to screen readers and moves the keyboard focus into it.
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Frame path={path}>
      <Keys />
      <Content page={page} name={name} />
    </Frame>
  );
}

function Content({ page, name }: { page: Page | undefined; name: string }): ComponentChildren {
  if (line.value === "locked") return <Locked />;
  if (!page) return <NotFound />;
  return (
    <Suspense fallback={<Waiting />}>
      <page.Content key={page.title + name + owner.value} name={name} />
    </Suspense>
  );
}
