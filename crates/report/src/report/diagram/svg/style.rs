//! How lines, boxes and text look, by day and by night.

/// The style sheet of a picture. What differs in the dark comes last.
pub(super) const STYLE: &str = "
text{font-family:system-ui,'Segoe UI','Helvetica Neue','DejaVu Sans',Arial,sans-serif;fill:#1c1c1c}
.heading{font-size:15px;font-weight:bold}
.name{font-size:12px;font-weight:bold;fill:#555}
.in{font-size:12px;text-anchor:middle}
.more{font-size:10.5px;fill:#444}
.said{font-size:10.5px;fill:#444}
.cause{font-size:10.5px;text-anchor:middle;fill:#333}
.remark{font-size:12px}
.ground{fill:#fff}
.group{fill:#f4f5f7;stroke:#c3c7cf}
.veil{fill:#f4f5f7}
.plate{fill:#fff;fill-opacity:.94}
.plate.within{fill:#f4f5f7}
.box,.outer{fill:#fff;stroke:#3a3f47;stroke-width:1.2}
.event .box{fill:#e8f0fc}
.trigger .box{fill:#fdf3dc}
.place .box{fill:#eef6ea}
.side{stroke:#3a3f47;fill:none}
.node.possible .box{stroke:#b26a00;stroke-width:2.5}
.node.cleared .box,.outer{stroke:#757575;stroke-width:1.5}
.outer{fill:none}
.node.confirmed .box{stroke:#c62828;stroke-width:4}
.line{fill:none;stroke:#59606b;stroke-width:1.3}
.head{fill:#59606b}
.causes .line{stroke:#1c1c1c;stroke-width:1.6}
.causes .head{fill:#1c1c1c}
.overwrites .line{stroke-width:3.2}
.undoes .line,.conflicts .line{stroke:#c62828;stroke-width:1.6}
.undoes .head{fill:#c62828}
.undoes .line{stroke-dasharray:7 4}
.commutes .line{stroke:#2e7d32;stroke-width:1.8;stroke-dasharray:2 4}
.enables .line{stroke-dasharray:6 4}
.refers .line{stroke:#3f5f9a}
.refers .head{fill:#3f5f9a}
.yields .line{stroke:#3f5f9a;stroke-dasharray:6 4}
.yields .head{fill:#3f5f9a}
.undoes .cause,.conflicts .cause{fill:#a01f1f}
.commutes .cause{fill:#23652a}
.halo{fill:none;stroke-width:7;stroke-opacity:.35}
.halo.possible{stroke:#f0a030}
.halo.cleared{stroke:#9e9e9e}
.halo.confirmed{stroke:#e53935}
@media print{svg{max-width:100%;max-height:100vh}}
@media screen and (prefers-color-scheme:dark){
text{fill:#e6e6e6}
.name{fill:#b5bac4}
.cause,.more,.said{fill:#d5d5d5}
.ground{fill:#15171b}
.group{fill:#1e2127;stroke:#454b57}
.veil{fill:#1e2127}
.plate{fill:#15171b}
.plate.within{fill:#1e2127}
.box{fill:#23272e;stroke:#aab1bd}
.event .box{fill:#1f2d45}
.trigger .box{fill:#3d3217}
.place .box{fill:#223322}
.side{stroke:#aab1bd}
.node.possible .box{stroke:#ffb74d}
.node.cleared .box,.outer{stroke:#bdbdbd}
.node.confirmed .box{stroke:#ff6b6b}
.line{stroke:#a3abb8}
.head{fill:#a3abb8}
.causes .line{stroke:#f0f0f0}
.causes .head{fill:#f0f0f0}
.undoes .line,.conflicts .line{stroke:#ff6b6b}
.undoes .head{fill:#ff6b6b}
.commutes .line{stroke:#7bc67e}
.refers .line,.yields .line{stroke:#8fb0f0}
.refers .head,.yields .head{fill:#8fb0f0}
.undoes .cause,.conflicts .cause{fill:#ff9a9a}
.commutes .cause{fill:#9bd89e}
}
";
