import "./style/base.css";
import "./style/parts.css";
import "./style/charts.css";
import { render } from "preact";
import { followLinks } from "./address.ts";
import { App } from "./app.tsx";
import { followServer } from "./live.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
followLinks();
followServer();
const place = document.getElementById("app");
if (place) render(<App />, place);
